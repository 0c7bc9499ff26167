import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../../faults/errors.ts'
import { detailsOf } from '../../faults/fault.ts'

export const MAX_BODY_BYTES = 256 * 1024

/**
 * An error that occurred before the whole request body was read. Because the rest of the body stays unread, the
 * connection cannot be reused and closes after the response.
 */
export class UnreadBodyError extends GatewayError {}

export const tooLarge = (): UnreadBodyError =>
  new UnreadBodyError(detailsOf('body_too_large', { kib: MAX_BODY_BYTES / 1024 }))

/**
 * Returns the number of bytes with which a request's body counts toward the limit on the total size of bodies: the
 * announced size, or the maximum size. Larger bodies are rejected, except uploads, which are streamed.
 */
export function bytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_BODY_BYTES
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES)
}
