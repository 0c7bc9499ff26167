import type { Tx } from '../../src/db/db.ts'

/**
 * Returns the number of rows that the function `read` reads from tables whose names start with one of the prefixes.
 * Rows count whether or not they are read through an index.
 */
export async function rowsReadBy(tx: Tx, prefixes: string[], read: () => Promise<unknown>): Promise<number> {
  // PostgreSQL's row counts include earlier transactions of this connection, so the counts before `read` are
  // subtracted.
  const before = await rowsRead(tx, prefixes)
  await read()
  return (await rowsRead(tx, prefixes)) - before
}

async function rowsRead(tx: Tx, prefixes: string[]): Promise<number> {
  const { rows } = await tx.raw(
    `select coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int as read from pg_stat_xact_user_tables
     where relname like any(?)`,
    [prefixes.map(prefix => `${prefix}%`)],
  )
  return rows[0].read
}
