import { type Count, countRows } from '../db/count-rows.ts'
import type { Db, Tx } from '../db/db.ts'
import { isDistributed } from '../db/distributed-database.ts'
import { type ListOrder, type PageStart, sqlOf } from '../db/list-order.ts'
import { recordColumns } from '../payments/record/unexpected-money.sql.ts'
import {
  type UnexpectedKind,
  type UnexpectedStatus,
  unexpectedStatuses,
} from '../payments/record/unexpected-money.ts'
import type { Mode } from '../values/mode.ts'
import type { UnexpectedMoneyRow } from './decision.ts'

const paymentColumns = `p.payment_code as "paymentCode", f.id as "refundId", f.status as "refundStatus"`

/**
 * SQL that joins an unexpected money record with its payment and its latest refund. On a distributed database, `only`
 * returns a condition that limits a joined table to the tenant.
 */
const withPayment = (only: (column: string) => string = () => '') => `
  left join payments p on p.tenant_id = m.tenant_id and p.id = m.payment_id ${only('p.tenant_id')}
  left join lateral (
    (select r.id, r.status, r.number from refunds r
     where r.tenant_id = m.tenant_id and r.refunded_money_id = m.id and m.return_status is null ${only('r.tenant_id')})
    union all
    (select r.id, r.status, r.number from refunds r
     where r.tenant_id = m.tenant_id and r.unexpected_money_id = m.id and m.return_status is not null
       ${only('r.tenant_id')})
    order by number desc limit 1
  ) f on true`

/**
 * Returns records of unexpected money, each with its payment and latest refund. `from` is the SQL `from`
 * clause, in which the records have the name `m`. `rest` is the SQL after this clause, such as the `order by`
 * clause.
 */
async function selectRecords(
  db: Db | Tx,
  from: string,
  rest: string,
  bindings: Record<string, unknown>,
): Promise<UnexpectedMoneyRow[]> {
  const distributed = isDistributed(db)
  const { rows } = await db.raw<{ rows: UnexpectedMoneyRow[] }>(
    distributed
      ? `select ${recordColumns} ${from} ${rest}`
      : `select ${recordColumns}, ${paymentColumns} ${from} ${withPayment()} ${rest}`,
    bindings as never,
  )
  return distributed ? addPayments(db, rows) : rows
}

type OfPayment = Pick<UnexpectedMoneyRow, 'id' | 'paymentCode' | 'refundId' | 'refundStatus'>

/**
 * Adds the payments and refunds to records of unexpected money. The records are first read without payments and
 * refunds, because a distributed database needs a separate statement for each tenant's payments.
 */
async function addPayments(db: Db | Tx, records: UnexpectedMoneyRow[]): Promise<UnexpectedMoneyRow[]> {
  const added = new Map<string, OfPayment>()
  for (const [tenantId, ofTenant] of Map.groupBy(records, record => record.tenantId)) {
    if (tenantId === null) continue
    const { rows } = await db.raw<{ rows: OfPayment[] }>(
      `select m.id, ${paymentColumns} from unexpected_money m ${withPayment(column => `and ${column} = :tenantId`)}
       where m.tenant_id = :tenantId and m.id = any(:ids)`,
      { tenantId, ids: ofTenant.map(({ id }) => id) },
    )
    for (const row of rows) added.set(row.id, row)
  }
  const none = { paymentCode: null, refundId: null, refundStatus: null }
  return records.map(record => ({ ...record, ...none, ...added.get(record.id) }))
}

export type MoneyFilter = {
  status: UnexpectedStatus | null
  kind: UnexpectedKind | null
  provider: string | null
  mode: Mode | null
  paymentId: string | null
}

/**
 * Lists one page of unexpected money records after the record `afterId`. If the list is filtered by payment, all of
 * the payment's records are read, because there are few. Otherwise, one page is read per status, and the pages are
 * merged.
 */
export async function listUnexpectedMoney(
  db: Db,
  filter: MoneyFilter,
  { order, afterId }: PageStart,
  limit: number,
): Promise<UnexpectedMoneyRow[]> {
  const statuses = statusesOf(filter)
  return selectRecords(
    db,
    `from (${filter.paymentId === null ? firstOf(statuses, order) : aboutPayment(order)}) page
     join unexpected_money m on m.id = page.id`,
    `order by m.id ${sqlOf[order].sort}`,
    { ...filter, statuses, afterId: afterId ?? null, limit },
  )
}

const statusesOf = ({ status }: MoneyFilter) => (status === null ? unexpectedStatuses : [status])

const wanted = `
  (:kind::text is null or m.kind = :kind) and (:provider::text is null or m.provider = :provider)
  and (:mode::text is null or m.mode = :mode)`

const isLater = (order: ListOrder): string =>
  `(:afterId::uuid is null or m.id ${sqlOf[order].later} :afterId)`

const inOrder = (order: ListOrder): string => `order by m.id ${sqlOf[order].sort} limit :limit`

/**
 * Returns SQL that finds the first records in a list of unexpected money, with one index lookup per status.
 * The SQL contains each status as a literal, so that the planner knows that few records are `open`, and uses
 * the index.
 */
const firstOf = (statuses: readonly UnexpectedStatus[], order: ListOrder): string => `
  select m.id
  from (${statuses
    .map(
      status =>
        `(select m.id from unexpected_money m where m.status = '${status}' and ${wanted} and ${isLater(order)} ${inOrder(order)})`,
    )
    .join(' union all ')}) m
  ${inOrder(order)}`

/**
 * SQL for a payment's unexpected money records. It uses one index lookup per tenant, because the tenant is the
 * index's first column.
 */
const ofPayment = `
  select m.id from tenants t join unexpected_money m on m.tenant_id = t.id and m.payment_id = :paymentId
  where m.status = any(:statuses) and ${wanted}`

const aboutPayment = (order: ListOrder): string => `${ofPayment} and ${isLater(order)} ${inOrder(order)}`

export function countUnexpectedMoney(db: Db, filter: MoneyFilter): Promise<Count> {
  const ofStatuses = `select from unexpected_money m where m.status = any(:statuses) and ${wanted}`
  return countRows(db, filter.paymentId === null ? ofStatuses : ofPayment, {
    ...filter,
    statuses: statusesOf(filter),
  })
}

export async function findUnexpectedMoney(db: Db, id: string): Promise<UnexpectedMoneyRow | undefined> {
  const [record] = await selectRecords(db, 'from unexpected_money m', 'where m.id = :id', { id })
  return record
}

/**
 * Locks an unexpected money record that the caller found earlier. The record still exists, because records
 * are never deleted.
 */
export async function lockUnexpectedMoney(tx: Tx, id: string): Promise<UnexpectedMoneyRow> {
  const [record] = await selectRecords(tx, 'from unexpected_money m', 'where m.id = :id for update of m', {
    id,
  })
  return record as UnexpectedMoneyRow
}

/**
 * Returns whether this unexpected money has its own credit in the ledger, rather than being part of its
 * payment's credit.
 */
export async function isSeparatelyCredited(tx: Tx, { tenantId, id }: UnexpectedMoneyRow): Promise<boolean> {
  const { rows } = await tx.raw<{ rows: unknown[] }>(
    `select from ledger_entries where tenant_id = ? and unexpected_money_id = ? and entry_type = 'credit' and refund_id is null`,
    [tenantId, id],
  )
  return rows.length > 0
}
