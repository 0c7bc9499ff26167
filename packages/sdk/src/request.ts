// Sends one request and reads its response: builds the URL, removes the envelope, and turns failures into errors.

import { errorOf } from './error-of.ts'
import { ConnectionError, type ErrorDetails, UnexpectedResponseError } from './errors.ts'
import type { Failure } from './generated/types.gen.ts'
import type { Operation } from './operation.ts'
import { retryAfterMsOf } from './retry.ts'

/** The parts of a request. Each operation has only some of these parts. */
export type Parts = {
  path?: Record<string, string> | undefined
  query?: Record<string, unknown> | undefined
  headers?: Record<string, string | undefined> | undefined
  /** The request body, or a function that creates a new body for each attempt. */
  body?: unknown
}

/**
 * How to read a response: the content type to accept, and a function that returns the data. The function returns
 * undefined if the response did not come from this service.
 */
export type Reading<Data> = {
  accept: string
  read: (response: Response, origin: string) => Promise<Data | undefined>
}

/**
 * A function that sends requests like the global `fetch`. The SDK calls the function with only two
 * parameters, `url` and `init`.
 *
 * @example
 * const traced: Fetch = (url, init) => fetch(url, { ...init, keepalive: true })
 */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export type Service = { baseUrl: string; fetch: Fetch | undefined }

/** Sends a request. The path of `operation` must already contain its parameter values. */
export async function send<Data>(
  { baseUrl, fetch }: Service,
  operation: Operation<unknown, unknown>,
  parts: Parts,
  { accept, read }: Reading<Data>,
  signal: AbortSignal,
): Promise<{ response: Response; data: Data }> {
  const url = baseUrl + operation.path + queryOf(parts)
  // The request is built before anything is sent, because an invalid header or body is the caller's mistake, not a
  // connection error.
  const init: RequestInit = {
    method: operation.method,
    signal,
    // Redirects are not followed. The Gapura service sends none, and a redirect to another host could leak the order
    // and, with some fetch implementations, the API key.
    redirect: 'manual',
    headers: headersOf(operation, parts, accept),
    ...bodyOf(parts),
  }
  const { origin } = new URL(url)
  // The global fetch is looked up on each call, because tests and tracing tools replace it. Browsers and workers reject
  // a fetch that is called as a method of another object, so it is called as a function.
  const response = await arrived(origin, () => (fetch ?? globalThis.fetch)(url, init))
  const data = response.ok ? await arrived(origin, () => read(response, origin)) : undefined
  if (data !== undefined) return { response, data }
  const body = response.ok ? undefined : await arrived(origin, () => jsonOf(response))
  const facts: ErrorDetails = {
    status: response.status,
    requestId: requestIdOf(response),
    retryAfterMs: retryAfterMsOf(response.headers.get('retry-after')),
  }
  throw isFailure(body) ? errorOf(body.error, facts) : new UnexpectedResponseError(origin, facts)
}

/** Returns the field `data` of a successful JSON response, or undefined if the response is not successful. */
export async function readData<Data>(response: Response): Promise<Data | undefined> {
  const body = (await jsonOf(response)) as { success?: unknown; data?: Data } | null | undefined
  return body?.success === true ? body.data : undefined
}

export const requestIdOf = (response: Response): string | undefined =>
  response.headers.get('x-request-id') ?? undefined

/** Returns the parsed body, or undefined if the body is not valid JSON. */
async function jsonOf(response: Response): Promise<unknown> {
  const text = await response.text()
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

async function arrived<T>(origin: string, act: () => Promise<T>): Promise<T> {
  try {
    return await act()
  } catch (error) {
    throw new ConnectionError(origin, error)
  }
}

/** Serializes the body when the call starts, so that later changes by the caller do not affect retries. */
export function written({ contentType }: Operation<unknown, unknown>, parts: Parts): Parts {
  const query = { ...parts.query }
  if (contentType !== undefined || parts.body === undefined) return { ...parts, query }
  return { ...parts, query, body: JSON.stringify(parts.body) }
}

/**
 * Inserts the path parameters. Rejects an ID that is empty, `.` or `..`, because the URL would then address another
 * operation.
 */
export function pathOf({ path }: Operation<unknown, unknown>, { path: values = {} }: Parts): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name]
    if (typeof value !== 'string' || /^\.{0,2}$/.test(value))
      throw new TypeError(`${name}: ${JSON.stringify(value)} is invalid`)
    return encodeURIComponent(value)
  })
}

function queryOf({ query = {} }: Parts): string {
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`)
  return pairs.length === 0 ? '' : `?${pairs.join('&')}`
}

function headersOf(
  { contentType = 'application/json' }: Operation<unknown, unknown>,
  { headers, body }: Parts,
  accept: string,
) {
  const made = new Headers()
  for (const [name, value] of Object.entries(headers ?? {})) if (value !== undefined) made.set(name, value)
  made.set('accept', accept)
  if (body !== undefined) made.set('content-type', contentType)
  return made
}

function bodyOf({ body }: Parts): RequestInit & { duplex?: 'half' } {
  if (body === undefined) return {}
  // If the body is a stream, fetch requires `duplex: 'half'`. With this setting, fetch reads the response only after it
  // has sent the whole request.
  const made: BodyInit = typeof body === 'function' ? body() : body
  return { body: made, ...(made instanceof ReadableStream && { duplex: 'half' }) }
}

function isFailure(body: unknown): body is Failure {
  const { success, error } = (body ?? {}) as Partial<Failure>
  return success === false && typeof error?.code === 'string' && typeof error.message === 'string'
}
