// A static resource for browsers: its bytes, their content type and their version. The resource is compressed when it
// is first requested.

import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

export type Encoding = 'br' | 'gzip' | 'identity'

export type Resource = {
  type: string
  /** The version of the resource's content, which changes whenever the content changes. */
  version: string
  bytes(encoding: Encoding): Promise<Buffer>
}

/**
 * Creates a static resource. Each encoding of the content is cached in memory, so that all responses share one buffer.
 * Otherwise, clients that do not read their responses could use up the memory.
 */
export function resource(type: string, version: string, read: () => Promise<Buffer>): Resource {
  const encoded = {
    identity: loadOnce(read),
    br: loadOnce(async () => brotli(await read())),
    gzip: loadOnce(async () => promisify(gzip)(await read())),
  }
  return { type, version, bytes: encoding => encoded[encoding]() }
}

export function textResource(type: string, text: string): Resource {
  const bytes = Buffer.from(text)
  return resource(type, hashOf(bytes), async () => bytes)
}

/**
 * Returns a short hash of the content, which is used as the content's version. Twelve digits are enough, because the
 * hash is not used for security.
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

// Brotli at level 5 compresses 4 MB of script in 0.1 s. At level 11, the result would be an eighth smaller, but
// compression would take 8 s.
const brotli = (bytes: Buffer): Promise<Buffer> =>
  promisify(brotliCompress)(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 5, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  })
