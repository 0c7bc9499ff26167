import type { IncomingMessage } from 'node:http'
import { GatewayError } from '../errors.ts'

export const MAX_BODY_BYTES = 256 * 1024

/** Nobody waits for the rest: the connection ends with the answer. */
export class UnreadBodyError extends GatewayError {}

export const exceeds = (bytes: number): string => `the body exceeds ${bytes / 1024} KiB`
export const tooLarge = (): UnreadBodyError =>
  new UnreadBodyError('PAYLOAD_TOO_LARGE', exceeds(MAX_BODY_BYTES))

/** What a body counts for. What is larger is refused, or is an upload, which is read as it comes. */
export function bytesOf({ headers }: IncomingMessage): number {
  if (headers['transfer-encoding'] !== undefined) return MAX_BODY_BYTES
  return Math.min(Number(headers['content-length'] ?? 0), MAX_BODY_BYTES)
}
