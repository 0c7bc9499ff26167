// Recognizes a database that responds but has run out of a resource: calls that need it fail until an operator acts or
// the shortage passes.

import type { Knex } from 'knex'

const DISK_FULL = '53100'

type Shortage = 'storage_full' | 'database_out_of_memory' | 'database_limit_reached'

/** The SQLSTATE of a shortage → the fault that the caller gets. */
const shortages: Record<string, Shortage> = {
  [DISK_FULL]: 'storage_full',
  '53200': 'database_out_of_memory',
  '53400': 'database_limit_reached',
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code)

/** Returns the fault that the caller gets; undefined if the error is not a shortage. */
export const shortageOf = (error: unknown): Shortage | undefined => shortages[codeOf(error)]

/** True if a statement of this process found the disk full and no check has found free space since. */
let isFull = false

/** Called for every statement that fails. */
export function noteShortage(error: unknown): void {
  if (codeOf(error) === DISK_FULL) isFull = true
}

/**
 * Checks that the database can store data. Returns true without a query if no statement found the disk full. Otherwise
 * it inserts a row of about 10 KB and rolls back; the promise rejects while the disk is still full. It uses the table
 * `workers`, because the service may write to it and may not create tables.
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
