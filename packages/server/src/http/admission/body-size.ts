import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../../faults/errors.ts'
import { fault } from '../../faults/fault.ts'

export const MAX_BODY_BYTES = 256 * 1024

/**
 * Thrown if a body arrives too slowly, or if its sender has too many arriving bodies. The rest of the body
 * is not read, so the connection closes after the response.
 */
export class UnreadBodyError extends GatewayError {}

/**
 * Returns the error for a body that is too large. The connection stays open, and the rest of the body is read and
 * discarded. If the connection closed while the client is still sending, the client would get a connection error
 * instead of this error (RFC 9112, 9.6).
 */
export const tooLarge = (): GatewayError => fault('body_too_large', { kib: MAX_BODY_BYTES / 1024 })

/**
 * Returns how many bytes of a body count toward the limit on the total size of bodies. This is the
 * announced size, but at most the maximum size of a body. Only uploads can be larger, and they are
 * streamed.
 */
export function bytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_BODY_BYTES
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES)
}
