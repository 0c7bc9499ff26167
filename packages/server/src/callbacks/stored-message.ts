// The form in which the headers and the body of a provider's callback are stored. A callback is stored as received until
// its outcome is recorded. It is then compressed, unless it is unreadable, too long or not smaller when compressed.

import { compress, decompress } from '../compression/compress.ts'

type Message = { headers: Record<string, string>; body: Buffer }
/** Either `compressed` is null, or both `headers` and `body` are. A constraint of the table enforces this. */
export type StoredMessage = {
  headers: Record<string, string> | null
  body: Buffer | null
  compressed: Buffer | null
}

/** The columns of a row `c` of provider_callbacks that contain its message. */
export const messageColumns = 'c.headers, c.body, c.message_compressed as compressed'

/**
 * Compresses the headers and the body together, separated by a NUL byte. The JSON of the headers contains no such byte,
 * because JSON escapes it. Returns null if the message must be stored uncompressed.
 */
export const compressMessage = ({ headers, body }: Message): Buffer | null =>
  compress(Buffer.concat([Buffer.from(`${JSON.stringify(headers)}\0`), body]), 'callback')

/** Replaces the stored form of a callback's message with the headers and the body. */
export function withMessage<Row extends StoredMessage>({
  headers,
  body,
  compressed,
  ...row
}: Row): Omit<Row, keyof StoredMessage> & Message {
  if (compressed !== null) {
    const message = decompress(compressed)
    const end = message.indexOf(0)
    return { ...row, headers: JSON.parse(message.toString('utf8', 0, end)), body: message.subarray(end + 1) }
  }
  if (headers === null || body === null) throw new Error('a stored callback has neither form of its message')
  return { ...row, headers, body }
}
