// How the headers and body of a provider's callback are stored. They are compressed when the callback's outcome is
// recorded. They stay uncompressed if the callback is unreadable or too large, or if compression would not make it
// smaller.

import { compress, decompress } from '../compression/compress.ts'

type Message = { headers: Record<string, string>; body: Buffer }
/** Either `compressed` is null, or `headers` and `body` are both null. A table constraint enforces this. */
export type StoredMessage = {
  headers: Record<string, string> | null
  body: Buffer | null
  compressed: Buffer | null
}

/** The columns of provider_callbacks (alias `c`) that contain a callback's message. */
export const messageColumns = 'c.headers, c.body, c.message_compressed as compressed'

/**
 * Compresses a message's headers and body together. A NUL byte separates them, because the headers, encoded as JSON,
 * never contain this byte. Returns null if the message must be stored uncompressed.
 */
export const compressMessage = ({ headers, body }: Message): Buffer | null =>
  compress(Buffer.concat([Buffer.from(`${JSON.stringify(headers)}\0`), body]), 'callback')

/**
 * Returns a callback's row in which the columns of the stored message are replaced by the headers and the
 * body. If the message is compressed, decompresses it.
 */
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
  if (headers === null || body === null)
    throw new Error('a stored callback has no headers or no body, so it cannot be read')
  return { ...row, headers, body }
}
