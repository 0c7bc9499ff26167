// Reads the ledger entries and transfers that belong to no payment, grouped by their reference. Such entries and
// transfers exist only because Partners are credited with their margins in batches (fees/credit-partner-margins.ts).

import type { Db } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import type { SqlValue } from '../db/prepared-statement.ts'
import { queryAllShards } from '../db/shard-query.ts'
import { accountIdOf } from '../ledger/account.ts'
import type { Mode } from '../values/mode.ts'

const ADJUSTMENT = accountIdOf('adjustment')

/**
 * A part of a batch that credits margins to Partners. A part consists of the batch's entries in one tenant's
 * ledger, or of the batch's transfers. Amounts are in cents.
 */
export type MarginPart = {
  reference: string
  mode: Mode
  /** Null for transfers. */
  tenantId: string | null
  /**
   * The ID of the batch's first entry in the tenant's ledger. It is null if this part of the batch consists
   * of transfers.
   */
  entryId: string | null
  /** The batch's credits to the tenant's balance, minus the batch's debits. */
  credited: bigint
  /** The net amount that the transfers moved into accounts of the type `adjustment`. */
  moved: bigint
}

type Table = 'ledger_entries' | 'book_transfers'
type Range = { after: string; last: string }

const onAllShards = async <Row>(
  db: Db,
  table: Table,
  sql: string,
  values: Record<string, SqlValue>,
): Promise<Row[]> => {
  if (isDistributed(db)) return queryAllShards<Row>(db, table, sql, values)
  const { rows } = await db.raw<{ rows: Row[] }>(sql, values as never)
  return rows
}

/**
 * Lists up to `limit` references of the batches that credit Partners with their margins. The list starts after the
 * reference `after` and is sorted by UTF-16 code units.
 */
export async function listMarginReferences(db: Db, after: string, limit: number): Promise<string[]> {
  const lists = await Promise.all(
    (['ledger_entries', 'book_transfers'] as const).map(table =>
      onAllShards<{ reference: string }>(
        db,
        table,
        `select distinct reference_id collate "C" as reference from ${table}
         where payment_id is null and reference_id collate "C" > :after::text order by 1 limit :limit::integer`,
        { after, limit },
      ),
    ),
  )
  return [...new Set(lists.flat().map(({ reference }) => reference))].sort().slice(0, limit)
}

export async function listMarginParts(db: Db, range: Range): Promise<MarginPart[]> {
  const isInRange = `payment_id is null and reference_id collate "C" > :after::text and reference_id collate "C" <= :last::text`
  const parts = await Promise.all([
    onAllShards<MarginPart>(
      db,
      'ledger_entries',
      `select reference_id as reference, mode, tenant_id as "tenantId", min(id::text) as "entryId",
              sum(case entry_type when 'credit' then amount else -amount end)::text as credited, '0' as moved
       from ledger_entries where ${isInRange} group by reference_id, mode, tenant_id`,
      range,
    ),
    onAllShards<MarginPart>(
      db,
      'book_transfers',
      `select reference_id as reference, mode, null as "tenantId", null as "entryId", '0' as credited,
              sum(case when to_account = '${ADJUSTMENT}' then amount
                       when from_account = '${ADJUSTMENT}' then -amount else 0 end)::text as moved
       from book_transfers where ${isInRange} group by reference_id, mode`,
      range,
    ),
  ])
  return parts.flat().map(part => ({ ...part, credited: BigInt(part.credited), moved: BigInt(part.moved) }))
}
