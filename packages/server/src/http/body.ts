import type { IncomingMessage } from 'node:http'
import { finished } from 'node:stream'
import { GatewayError } from '../errors.ts'
import { parseJson } from './json.ts'

export const MAX_BODY_BYTES = 256 * 1024

/** 256 KiB at 0.2 megabits a second. Meanwhile the request has a place that another could have (admission.ts). */
const BODY_SECONDS = 10

/** Nobody waits for the rest: the connection ends with the answer. */
export class UnreadBodyError extends GatewayError {}

const exceeds = (bytes: number) => `the body exceeds ${bytes / 1024} KiB`
const tooLarge = () => new UnreadBodyError('PAYLOAD_TOO_LARGE', exceeds(MAX_BODY_BYTES))
const tooSlow = () =>
  new UnreadBodyError('BAD_REQUEST', `body: did not come to its end within ${BODY_SECONDS} seconds`)

/** The exact bytes. A body that says it is too large is not read. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    const take = (chunk: Buffer) => {
      size += chunk.length
      chunks.push(chunk)
      if (size > MAX_BODY_BYTES) end(tooLarge())
    }
    const end = (error?: unknown) => {
      clearTimeout(timer)
      forget()
      request.off('data', take)
      if (error instanceof GatewayError) reject(error)
      else if (error) reject(new GatewayError('BAD_REQUEST', 'body: ended early', { cause: error }))
      else resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks))
    }
    // What arrived while this process stood still is read before anybody is told that it did not.
    const timer = setTimeout(() => setImmediate(() => end(tooSlow())), BODY_SECONDS * 1_000)
    const forget = finished(request, { writable: false }, end)
    request.on('data', take)
  })
}

const typeOf = ({ headers }: IncomingMessage): string | undefined =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()

/**
 * The body as it comes, for whoever reads it on; the caller's right to send it is looked at before. Where it is refused
 * its rest is read and thrown away, for as long as a request may take: who is cut off while sending never sees why.
 */
export async function* readUpload(
  request: IncomingMessage,
  { type, maxBytes }: { type: string; maxBytes: number },
): AsyncGenerator<Buffer> {
  if (typeOf(request) !== type) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', `send the body as ${type}`)
  refuseCompressed(request)
  const refused = new GatewayError('PAYLOAD_TOO_LARGE', exceeds(maxBytes))
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw refused
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw refused
      yield chunk
    }
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError('BAD_REQUEST', 'body: ended early', { cause: error })
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** A JSON object; no body is an empty one, since some operations take none. */
export async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
  const bytes = await readBody(request)
  if (bytes.length === 0) return {}
  if (typeOf(request) !== 'application/json')
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'send the body as application/json')
  refuseCompressed(request)
  const value = parseJson(textOf(bytes))
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new GatewayError('BAD_REQUEST', 'body: must be a JSON object')
  return value as Record<string, unknown>
}

/** For who parses it itself: JSON that parseJson takes. */
export async function readJsonText(request: IncomingMessage): Promise<string> {
  refuseCompressed(request)
  const text = textOf(await readBody(request))
  if (text !== '') parseJson(text)
  return text
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw new GatewayError('BAD_REQUEST', 'body: is not valid UTF-8', { cause: error })
  }
}

/** A few bytes could be gigabytes. */
function refuseCompressed({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity')
    throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', 'send the body without Content-Encoding')
}
