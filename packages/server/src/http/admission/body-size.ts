import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../../faults/errors.ts'
import { fault } from '../../faults/fault.ts'

export const MAX_BODY_BYTES = 256 * 1024

/**
 * Thrown if a request body arrives too slowly, or if too many bodies are arriving at the same time. The connection
 * closes after the response, because the rest of the body is not read.
 */
export class UnreadBodyError extends GatewayError {}

/**
 * Returns the error for a body that is too large. The service reads and discards the rest of the body. If it closed the
 * connection instead, the client might not receive the error (RFC 9112, 9.6).
 */
export const tooLarge = (): GatewayError => fault('body_too_large', { kib: MAX_BODY_BYTES / 1024 })

/**
 * Returns how many bytes of a request body count toward the limit on the total size of request bodies. At most
 * `MAX_BODY_BYTES` count for one body, because larger uploads are streamed.
 */
export function bytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_BODY_BYTES
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES)
}
