// Compresses messages that the service stores. PostgreSQL itself compresses values only in rows larger than 2 kB,
// and most messages are smaller (docs/decisions/0080-compressed-messages.md). The first byte is the dictionary's
// number. The rest is raw deflate data.

import { deflateRawSync, inflateRawSync } from 'node:zlib'
import { currentDictionary, dictionaries, type MessageKind } from './dictionaries.ts'

/**
 * The maximum size of a message that the service compresses. Longer messages are compressed by PostgreSQL itself. The
 * limit also bounds the memory needed for decompression.
 */
export const MAX_COMPRESSED_BYTES = 16_384

const LEVEL = 6
/**
 * The sizes of zlib's buffers. With these sizes, zlib allocates 48 kB for a message. The default is 256 kB, which
 * causes garbage collections. The 8 kB window is larger than any dictionary.
 */
const SIZES = { windowBits: 13, memLevel: 5 }
/** The size of zlib's output buffer. Most messages fit into one buffer, and a smaller buffer is allocated faster. */
const CHUNK_BYTES = 2_048

/**
 * Compresses a message. Returns null if the message is too long, or if compression does not make it
 * smaller.
 */
export function compress(message: Buffer, kind: MessageKind): Buffer | null {
  if (message.length > MAX_COMPRESSED_BYTES) return null
  const number = currentDictionary[kind]
  const deflated = deflateRawSync(message, {
    level: LEVEL,
    ...SIZES,
    chunkSize: CHUNK_BYTES,
    dictionary: dictionaries.get(number),
  })
  return deflated.length + 1 < message.length ? Buffer.concat([Buffer.of(number), deflated]) : null
}

/**
 * Decompresses a message. Throws an error if the bytes are damaged, or if a later version compressed the
 * message with a dictionary that this version does not have.
 */
export function decompress(compressed: Buffer): Buffer {
  const number = compressed[0]
  const dictionary = number === undefined ? undefined : dictionaries.get(number)
  if (dictionary === undefined)
    throw new Error(
      `this version of the service has no compression dictionary ${number}, with which a later version compressed the message; upgrade this process`,
    )
  return inflateRawSync(compressed.subarray(1), {
    dictionary,
    chunkSize: CHUNK_BYTES,
    maxOutputLength: MAX_COMPRESSED_BYTES,
  })
}
