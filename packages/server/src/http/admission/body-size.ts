import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../../faults/errors.ts'
import { fault } from '../../faults/fault.ts'

export const MAX_BODY_BYTES = 256 * 1024

/**
 * The error that a sender gets if its body arrives too slowly, or if too many of its bodies are arriving. The
 * connection closes after the response, so the rest of the body stays unread.
 */
export class UnreadBodyError extends GatewayError {}

/**
 * Returns the error for a body that is too large. The connection stays open after this error, and the rest of the
 * body is read and discarded. If the connection were closed, a client that is still sending would get a connection
 * error instead of this one (RFC 9112, 9.6).
 */
export const tooLarge = (): GatewayError => fault('body_too_large', { kib: MAX_BODY_BYTES / 1024 })

/**
 * Returns the number of bytes with which a request's body counts toward the limit on the total size of bodies: the
 * announced size, or the maximum size. Larger bodies are rejected, except uploads, which are streamed.
 */
export function bytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_BODY_BYTES
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES)
}
