import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../../faults/errors.ts'
import { detailsOf } from '../../faults/fault.ts'

export const MAX_BODY_BYTES = 256 * 1024

/**
 * An error that occurred before the whole request body was read. The rest of the body is not read. The connection
 * therefore closes after the response.
 */
export class UnreadBodyError extends GatewayError {}

export const tooLarge = (): UnreadBodyError =>
  new UnreadBodyError(detailsOf('body_too_large', { kib: MAX_BODY_BYTES / 1024 }))

/**
 * Returns the number of bytes that a request's body adds to the total toward the limits. A larger body is rejected,
 * except for uploads, which are streamed.
 */
export function bytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_BODY_BYTES
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES)
}
