import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../../faults/errors.ts'
import { detailsOf } from '../../faults/fault.ts'

export const MAX_BODY_BYTES = 256 * 1024

/** An error before the body was completely read. The rest is not read, so the connection closes after the response. */
export class UnreadBodyError extends GatewayError {}

export const tooLarge = (): UnreadBodyError =>
  new UnreadBodyError(detailsOf('body_too_large', { kib: MAX_BODY_BYTES / 1024 }))

/**
 * Returns the number of bytes that the request's body counts for in the limits. A body that is larger than this is
 * rejected, unless it is an upload, which is read as a stream.
 */
export function bytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_BODY_BYTES
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES)
}
