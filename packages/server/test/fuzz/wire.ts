// Sends a request as raw bytes, and builds a curl command that sends the same request.

import type { Client } from 'undici'
import type { Credential } from './credentials.ts'
import { type FuzzRequest, Raw } from './request.ts'
import type { World } from './world.ts'

export type Sent = { method: string; path: string; headers: Record<string, string>; body: string | undefined }
export type Answer = { status: number; headers: Record<string, string | string[] | undefined>; text: string }

export function sentOf(world: World, request: FuzzRequest, caller: Credential): Sent {
  const { operation } = request
  const look = (value: unknown) => world.resolve(value, operation.operationId, caller)
  const path = world.aim(request, caller)
  const query = request.query
    .map(([name, value]) => [name, look(value)] as const)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
  return {
    method: operation.method,
    path:
      operation.path.replace(/\{(\w+)\}/g, (_, name) => encoded(path[name])) +
      (query.length > 0 ? `?${query.join('&')}` : ''),
    headers: {
      ...Object.fromEntries(
        Object.entries(request.headers)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => [name, headerText(look(value))]),
      ),
      ...(caller.header !== undefined && { authorization: caller.header }),
    },
    body: bodyText(world, request, caller, path),
  }
}

function bodyText(
  world: World,
  { operation, body }: FuzzRequest,
  caller: Credential,
  path: Record<string, unknown>,
): string | undefined {
  if (body === undefined) return undefined
  if ('text' in body) return String(world.resolve(body.text, operation.operationId, caller)).toWellFormed()
  // JSON.stringify escapes lone surrogates, so the request body contains only valid characters.
  return JSON.stringify(world.fit(world.resolve(body.json, operation.operationId, caller), path))
}

function encoded(value: unknown): string {
  if (value instanceof Raw) return value.text
  return encodeURIComponent(String(value).toWellFormed().slice(0, LONGEST))
}

/**
 * The maximum length of a value in the path or in a header. It keeps the request line and headers below 16 KiB,
 * because the service rejects larger requests before they reach an operation.
 */
const LONGEST = 260

/** Removes characters that HTTP clients do not allow in a header. */
const headerText = (value: unknown): string =>
  String(value)
    .replace(/[^\t\x20-\x7e\x80-\xff]/g, '')
    .slice(0, 4_000)

export async function send(client: Client, { method, path, headers, body }: Sent): Promise<Answer> {
  const {
    statusCode,
    headers: answered,
    body: answer,
  } = await client.request({
    method: method as 'GET',
    path,
    headers,
    body: body ?? null,
  })
  return { status: statusCode, headers: answered, text: await answer.text() }
}

/**
 * Returns a curl command that repeats the request. The command works while this run's service is running.
 * Later, the command needs another credential.
 */
export function curlOf(origin: string, { method, path, headers, body }: Sent): string {
  const parts = [
    `curl -si --path-as-is -X ${method} ${quoted(origin + path)}`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-binary ${quoted(shortened(body))}`]),
  ]
  return parts.join(' \\\n  ')
}
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`
const shortened = (text: string): string =>
  text.length > 2_000 ? `${text.slice(0, 2_000)}… (${text.length} characters)` : text
