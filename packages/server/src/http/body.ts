import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../errors.ts'
import { parseJson } from './json.ts'

export const MAX_BODY_BYTES = 256 * 1024

const tooLarge = (maxBytes = MAX_BODY_BYTES) =>
  new GatewayError('PAYLOAD_TOO_LARGE', `the body exceeds ${maxBytes / 1024} KiB`)

/** The exact bytes. A body that says it is too large is not read. */
export async function readBody(request: IncomingMessage): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > MAX_BODY_BYTES) throw tooLarge()
      chunks.push(chunk)
    }
  } catch (error) {
    if (error instanceof GatewayError) throw error
    throw new GatewayError('BAD_REQUEST', 'body: ended early', { cause: error })
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
}

const typeOf = ({ headers }: IncomingMessage): string | undefined =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()

/**
 * The body as it comes, for whoever reads it on; the caller's right to send it is looked at before. Whoever stops
 * reading leaves the connection open: it has to carry the answer that says why.
 */
export async function* readUpload(
  request: IncomingMessage,
  { type, maxBytes }: { type: string; maxBytes: number },
): AsyncGenerator<Buffer> {
  if (typeOf(request) !== type) throw new GatewayError('UNSUPPORTED_MEDIA_TYPE', `send the body as ${type}`)
  refuseCompressed(request)
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes)
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      size += chunk.length
      if (size > maxBytes) throw tooLarge(maxBytes)
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
