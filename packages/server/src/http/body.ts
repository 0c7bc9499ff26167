import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../faults/errors.ts'
import { fault } from '../faults/fault.ts'
import type { SlotOwner } from './admission/admission.ts'
import { bytesOf, MAX_BODY_BYTES, tooLarge } from './admission/body-size.ts'
import { parseJson } from './json.ts'

/**
 * Reads a request body and returns its exact bytes. If the size announced in the headers is too large, rejects the body
 * without reading it. If too many bodies are arriving, throws RATE_LIMITED or SERVICE_UNAVAILABLE.
 */
export async function readBody(
  request: IncomingMessage,
  { share, id, own, sender }: SlotOwner,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) throw tooLarge()
  // Most request bodies arrive with the headers, so they can be read without waiting.
  if (request.complete) return wholeBody(request)
  // If the request's owner (such as a tenant) or the whole service has reached a limit, the request is
  // rejected before its body is read.
  share.check(id, own, bytesOf(request))
  return share.arriving.read(request, sender)
}

/** Returns the body of a request that has been received completely. */
function wholeBody(request: IncomingMessage): Buffer {
  const chunks: Buffer[] = []
  for (let chunk = request.read(); chunk !== null; chunk = request.read()) chunks.push(chunk)
  const body = chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)
  if (body.length > MAX_BODY_BYTES) throw tooLarge()
  return body
}

const typeOf = ({ headers }: IncomingMessage): string | undefined =>
  (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()

/**
 * Streams the body of a request whose caller is authorized. If the upload is rejected midway, the rest is discarded
 * so that the client can read the error.
 */
export async function* readUpload(
  request: IncomingMessage,
  { type, maxBytes }: { type: string; maxBytes: number },
): AsyncGenerator<Buffer> {
  if (typeOf(request) !== type) throw fault('body_type_wrong', { type })
  rejectCompressed(request)
  const refused = fault('body_too_large', { kib: maxBytes / 1024 })
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
    throw fault('body_ended_early', {}, { field: 'body', cause: error })
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/** Reads the body as a JSON object. An empty body counts as an empty object, because some operations need no body. */
export async function readJson(request: IncomingMessage, owner: SlotOwner): Promise<Record<string, unknown>> {
  const bytes = await readBody(request, owner)
  if (bytes.length === 0) return {}
  if (typeOf(request) !== 'application/json') throw fault('body_type_wrong', { type: 'application/json' })
  rejectCompressed(request)
  const value = parseJson(textOf(bytes))
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw fault('body_not_object', {}, { field: 'body' })
  return value as Record<string, unknown>
}

/**
 * Reads the body as text, for code that parses the text itself. Text that `parseJson` would reject is rejected here
 * too.
 */
export async function readJsonText(request: IncomingMessage, owner: SlotOwner): Promise<string> {
  rejectCompressed(request)
  const text = textOf(await readBody(request, owner))
  if (text !== '') parseJson(text)
  return text
}

function textOf(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch (error) {
    throw fault('body_not_utf8', {}, { field: 'body', cause: error })
  }
}

/** Rejects a compressed body, because a few compressed bytes could expand to gigabytes. */
function rejectCompressed({ headers }: IncomingMessage): void {
  const encoding = headers['content-encoding']
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw fault('body_compressed')
}
