import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../errors.ts'
import type { Owner } from './admission.ts'
import { bytesOf, exceeds, MAX_BODY_BYTES, tooLarge } from './body-size.ts'
import { parseJson } from './json.ts'

/** The exact bytes. A body that says it is too large is not read. Throws RATE_LIMITED where it makes room for others. */
export async function readBody(request: IncomingMessage, { share, id, own, sender }: Owner): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  // Most bodies come together with their headers.
  if (request.complete) return wholeBody(request)
  // A request that would be refused once its body is there is refused now.
  share.check(id, own, bytesOf(request))
  return share.arriving.read(request, sender)
}

function wholeBody(request: IncomingMessage): Buffer {
  const body: Buffer = request.read() ?? Buffer.alloc(0)
  if (body.length > MAX_BODY_BYTES) throw tooLarge()
  return body
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
export async function readJson(request: IncomingMessage, owner: Owner): Promise<Record<string, unknown>> {
  const bytes = await readBody(request, owner)
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
export async function readJsonText(request: IncomingMessage, owner: Owner): Promise<string> {
  refuseCompressed(request)
  const text = textOf(await readBody(request, owner))
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
