import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../errors.ts'
import { detailsOf } from '../faults/fault.ts'

export const MAX_BODY_BYTES = 256 * 1024

/** The rest of the body is not read: the connection closes after the response. */
export class UnreadBodyError extends GatewayError {}

export const tooLarge = (): UnreadBodyError =>
  new UnreadBodyError(detailsOf('body_too_large', { kib: MAX_BODY_BYTES / 1024 }))

/**
 * The number of bytes that a body counts for in the limits. A larger body is rejected, unless it is an upload, which is
 * read as a stream.
 */
export function bytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_BODY_BYTES
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES)
}
