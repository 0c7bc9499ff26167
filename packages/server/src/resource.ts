// What a browser is sent: bytes with their type and version, compressed when somebody first asks for it.

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

export type Resource = {
  type: string
  /** Another one whenever the content is another one. */
  version: string
  bytes(encoding: Encoding): Promise<Buffer>
}

/** `read` is called again for each uncompressed answer, so that the largest need not be held in memory. */
export function resource(type: string, version: string, read: () => Promise<Buffer>): Resource {
  const compressed = {
    br: kept(async () => brotli(await read())),
    gzip: kept(async () => promisify(gzip)(await read())),
  }
  return { type, version, bytes: encoding => (encoding === 'identity' ? read() : compressed[encoding]()) }
}

export function textResource(type: string, text: string): Resource {
  const bytes = Buffer.from(text)
  return resource(type, hashOf(bytes), async () => bytes)
}

/** Twelve digits are for telling versions apart, not for security. */
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 12)

/** One call makes it for all who wait; a failed one is forgotten, so that the next may succeed. */
export function kept<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch(error => {
      made = undefined
      throw error
    })
    return made
  }
}

// Level 5 takes 4 MB of script in a tenth of a second; level 11 makes it an eighth smaller, in eight seconds.
const brotli = (bytes: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
