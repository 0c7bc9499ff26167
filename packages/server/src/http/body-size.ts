import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../errors.ts'

export const MAX_BODY_BYTES = 256 * 1024

/** The rest of the body is not read: the connection closes after the response. */
export class UnreadBodyError extends GatewayError {}

export const exceeds = (bytes: number): string => `the body exceeds ${bytes / 1024} KiB`
export const tooLarge = (): UnreadBodyError =>
  new UnreadBodyError('PAYLOAD_TOO_LARGE', exceeds(MAX_BODY_BYTES))

/**
 * The number of bytes that a body counts for in the limits. A larger body is rejected, unless it is an upload, which is
 * read as a stream.
 */
export function bytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_BODY_BYTES
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES)
}
