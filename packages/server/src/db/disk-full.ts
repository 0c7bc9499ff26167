// Remembers that a statement failed because PostgreSQL's disk is full, until a later check finds free space
// on the disk.

import type { Knex } from 'knex'
import { codeOf, DISK_FULL } from './database-errors.ts'

/**
 * Whether PostgreSQL's disk is full. The value becomes true if a statement fails because of a full disk, and
 * false when a later check finds free space.
 */
let isFull = false

/** Must be called for every SQL statement that fails. Remembers the failure if PostgreSQL's disk is full. */
export function noteIfDiskFull(error: unknown): void {
  if (codeOf(error) === DISK_FULL) isFull = true
}

/**
 * Checks whether the database can store data. If no statement has failed because of a full disk, returns true without a
 * query. Otherwise, inserts a row of about 10 KB and rolls back. If the disk is still full, the insert's error rejects
 * the returned promise. The row is inserted into `workers`, because the service cannot create a table for this check.
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
