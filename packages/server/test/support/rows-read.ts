import type { Tx } from '../../src/db/db.ts'

/**
 * Counts the rows that `read` reads, with or without an index, from tables whose names start with one of the given
 * prefixes.
 */
export async function rowsReadBy(tx: Tx, prefixes: string[], read: () => Promise<unknown>): Promise<number> {
  // PostgreSQL's counts include this connection's earlier transactions, so the result is the difference
  // between the counts before and after `read` runs.
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
