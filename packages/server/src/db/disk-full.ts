// Remembers that PostgreSQL's disk is full, and checks whether it has free space again.

import type { Knex } from 'knex'
import { codeOf, DISK_FULL } from './database-errors.ts'

/** True if a statement of this process found the disk full and no check has found free space since. */
let isFull = false

/** Called for every statement that fails. */
export function noteIfDiskFull(error: unknown): void {
  if (codeOf(error) === DISK_FULL) isFull = true
}

/**
 * Checks whether the database can store data. Returns true without a query if no statement found the disk full.
 * Otherwise inserts about 10 KB and rolls back; rejects if the disk is still full. The row goes into `workers`, because
 * the service may not create tables.
 */
export async function canStoreData(db: Knex): Promise<boolean> {
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
