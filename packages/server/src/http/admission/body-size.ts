import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../../faults/errors.ts'
import { detailsOf } from '../../faults/fault.ts'

export const MAX_BODY_BYTES = 256 * 1024

/** An error before the body was completely read. The rest is not read, so the connection closes after the response. */
export class UnreadBodyError extends GatewayError {}

export const tooLarge = (): UnreadBodyError =>
  new UnreadBodyError(detailsOf('body_too_large', { kib: MAX_BODY_BYTES / 1024 }))

/**
 * Returns the number of bytes for which a request's body counts in the limits. A larger body is rejected, except for
 * uploads, which are streamed.
 */
export function bytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_BODY_BYTES
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES)
}
