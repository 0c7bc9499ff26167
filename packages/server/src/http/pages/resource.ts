// A static resource for browsers: bytes with their type and version. The first request for a resource compresses it.

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

export type Resource = {
  type: string
  /** The content's version, which changes whenever the content does. */
  version: string
  bytes(encoding: Encoding): Promise<Buffer>
}

/**
 * Creates a static resource. Only the compressed content is cached in memory. For a client that accepts no
 * compression, `read` is called again.
 */
export function resource(type: string, version: string, read: () => Promise<Buffer>): Resource {
  const compressed = {
    br: loadOnce(async () => brotli(await read())),
    gzip: loadOnce(async () => promisify(gzip)(await read())),
  }
  return { type, version, bytes: encoding => (encoding === 'identity' ? read() : compressed[encoding]()) }
}

export function textResource(type: string, text: string): Resource {
  const bytes = Buffer.from(text)
  return resource(type, hashOf(bytes), async () => bytes)
}

/**
 * Returns a short hash of the content as its version. Twelve digits are enough, because the hash has no security
 * purpose.
 */
const hashOf = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex').slice(0, 12)

/** Calls `make` once and caches the result for all callers. A failure is not cached, so the next call retries. */
export function loadOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make().catch(error => {
      made = undefined
      throw error
    })
    return made
  }
}

// Brotli at level 5 compresses 4 MB of script in 0.1 s. Level 11 makes the result an eighth smaller but takes 8 s.
const brotli = (bytes: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
