// Recognizes a database that responds but has run out of a resource: calls that need it fail until an operator acts or
// the shortage passes.

import type { Knex } from 'knex'

const DISK_FULL = '53100'

/** Messages by SQLSTATE. */
const shortages: Record<string, string> = {
  [DISK_FULL]: 'storage is full; try again later',
  '53200': 'the database is out of memory; try again',
  '53400': 'the database reached a limit of its configuration; try again',
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** The message for the caller, if the error is a shortage. */
export const shortageOf = (error: unknown): string | undefined => shortages[codeOf(error)]

/** Whether a statement of this process found the disk full, and no check has found space since. */
let isFull = false

/** Called for every statement that fails. */
export function noteShortage(error: unknown): void {
  if (codeOf(error) === DISK_FULL) isFull = true
}

/**
 * Returns true without writing unless a statement found the disk full. Then it inserts a row of about 10 KB and rolls
 * back; it rejects while the disk is still full. It uses `workers`, because the service may write there and may not
 * create tables.
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
