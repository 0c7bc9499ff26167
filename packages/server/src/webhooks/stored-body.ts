// A webhook event's body is stored compressed, except in three cases: it is too long, compression would not make it
// smaller, or the operator has turned compression off.

import { compress, decompress } from '../compression/compress.ts'
import { storesCompressed } from '../compression/compression-setting.ts'
import type { Db, Tx } from '../db/db.ts'

/**
 * The body of a stored webhook event: either plain or compressed. A table constraint ensures that exactly one of the
 * two fields is not null.
 */
export type StoredBody = { body: string | null; bodyCompressed: Buffer | null }

/** Returns the columns of a webhook_events row that contain its body. */
export const bodyColumns = (event: string): string =>
  `${event}.body, ${event}.body_compressed as "bodyCompressed"`

export function storedBody(db: Db | Tx, body: string): StoredBody {
  const bodyCompressed = storesCompressed(db) ? compress(Buffer.from(body), 'webhook') : null
  return { body: bodyCompressed === null ? body : null, bodyCompressed }
}

/**
 * Replaces the stored form of a webhook event's body (plain or compressed) with the body itself: exactly the
 * bytes that are signed and sent.
 */
export function withBody<Row extends StoredBody>({
  body,
  bodyCompressed,
  ...row
}: Row): Omit<Row, keyof StoredBody> & { body: string } {
  if (bodyCompressed !== null) return { ...row, body: decompress(bodyCompressed).toString() }
  if (body === null)
    throw new Error(
      'a webhook event cannot be read, because it is stored with neither a plain nor a compressed body',
    )
  return { ...row, body }
}
