// Ledger verification reads rows in portions, one after another. If the database is a single PostgreSQL server, one
// portion contains all rows. If the database is distributed, each portion contains one tenant's rows.

import type { Db } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import { queryAllShards } from '../db/shard-query.ts'

/** The id of the tenant whose rows are read, or undefined to read all rows. */
export type Portion = string | undefined

/**
 * Returns a function that creates an SQL condition for the rows of `portion` (one tenant's rows, or all
 * rows). The function takes the name of the table's tenant column. The condition begins with `and`, or is
 * empty if the portion contains all rows.
 */
export const onlyPortion =
  (portion: Portion): ((column: string) => string) =>
  column =>
    portion === undefined ? '' : `and ${column} = :portion`

const tables = [
  ...['balances', 'ledger_entries', 'ledger_seals', 'payments', 'refunds', 'fee_charges'],
  ...['book_accounts', 'book_transfers'],
]

/**
 * Returns the portions in which the ledger is verified: one per tenant on a distributed database, otherwise a single
 * one. The portions are sorted by tenant ID, like the balances in the signed ledger statements.
 */
export async function listPortions(db: Db): Promise<Portion[]> {
  if (!isDistributed(db)) return [undefined]
  const found = await Promise.all(
    tables.map(table => queryAllShards<{ id: string }>(db, table, tenantsOf(table))),
  )
  return [...new Set(found.flat().map(({ id }) => id))].sort()
}

/**
 * This query jumps from tenant to tenant in the table's primary key, so its cost does not depend on the number
 * of rows.
 */
const tenantsOf = (table: string): string => `
  with recursive tenant as (
    (select tenant_id as id from ${table} order by tenant_id limit 1)
    union all
    select (select tenant_id from ${table} where tenant_id > tenant.id order by tenant_id limit 1)
    from tenant where id is not null
  )
  select id from tenant where id is not null`
