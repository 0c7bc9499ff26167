// A database that answers and has run out of something: every call that needs it fails until an operator acts, or a
// moment has passed.

import type { Knex } from 'knex'

const DISK_FULL = '53100'

/** By SQLSTATE. */
const shortages: Record<string, string> = {
  [DISK_FULL]: 'storage is full; try again later',
  '53200': 'the database is out of memory; try again',
  '53400': 'the database reached a limit of its configuration; try again',
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** What is short, in words for the caller. */
export const shortageOf = (error: unknown): string | undefined => shortages[codeOf(error)]

/** Whether a statement of this process met a full disk, and none has shown since that there is room again. */
let isFull = false

/** Of every statement that fails. */
export function noteShortage(error: unknown): void {
  if (codeOf(error) === DISK_FULL) isFull = true
}

/**
 * Nothing is written to find out, but after a statement met a full disk: then a row of some ten kilobytes is, and undone. It
 * is one of `workers`, since the service may write there and make no table.
 */
export async function hasStorage(db: Knex): Promise<boolean> {
  if (!isFull) return true
  const tx = await db.transaction()
  try {
    await tx.raw(
      `insert into workers (id, pool_ids, seen_at)
       select gen_random_uuid(), array_agg(md5(random()::text)), now() from generate_series(1, 300)`,
    )
  } finally {
    await tx.rollback()
  }
  isFull = false
  return true
}
