import type { Db } from '../../db/db.ts'
import { isDistributed } from '../../db/distributed-database.ts'
import { type ListOrder, type PageStart, sqlOf } from '../../db/list-order.ts'
import { preparedStatement } from '../../db/prepared-statement.ts'
import { queryShards } from '../../db/shard-query.ts'
import { isId } from '../../values/id.ts'
import { paymentColumns } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { isPaymentCode } from '../payment-code.ts'
import {
  boundsOf,
  firstOfEachKind,
  hasTerms,
  inRange,
  matches,
  type PaymentFilter,
  page,
} from './payment-filter.sql.ts'
import { type FoundPayments, searchPayments } from './payment-search.sql.ts'

/**
 * Lists the payments after `start`, in list order. The first query filters only the next `limit` + RECENT payments,
 * which usually fill the page. If they do not, a second query looks up later payments by each combination of filter
 * values. Both queries read a limited number of rows.
 */
export async function listPayments(
  db: Db,
  { search, createdIn, ...kinds }: PaymentFilter,
  start: PageStart,
  limit: number,
): Promise<FoundPayments> {
  const { order } = start
  const values = { ...kinds, ...boundsOf(createdIn, start), limit, recent: limit + RECENT }
  if (hasTerms(search)) return searchPayments(db, search, order, values)
  const found = await listFirst[order](db, values)
  const [last] = found.length < limit ? await lastOfFirst[order](db, values) : []
  if (!last) return { rows: found }
  // The second query continues after the last payment examined or the last payment found, whichever is later in the
  // list. The last payment found can be later if a payment was created between the queries.
  const ids = [last.id, found.at(-1)?.id ?? last.id].sort()
  const afterId = order === 'newest' ? ids[0] : ids[1]
  const later = await db.raw<{ rows: Payment[] }>(page(firstOfEachKind(order, isDistributed(db)), order), {
    ...values,
    ...boundsOf(createdIn, { order, afterId }),
    limit: limit - found.length,
  })
  return { rows: [...found, ...later.rows] }
}

/**
 * How many more payments than a page contains are examined by the first query of `listPayments`, because some
 * may not match the filter.
 */
export const RECENT = 200

const inBothOrders = <Row>(sql: (sort: string) => string) => {
  const statement = (order: ListOrder) => preparedStatement<Row>(sql(sqlOf[order].sort))
  return { newest: statement('newest'), oldest: statement('oldest') }
}

const listFirst = inBothOrders<Payment>(
  sort => `select ${paymentColumns}
   from (select * from payments p where ${inRange} order by p.id ${sort} limit :recent) p
   where ${matches} order by p.id ${sort} limit :limit`,
)

/**
 * Returns the ID of the last payment that the first query examines, at position `recent` of the tenant's list. Returns
 * no row if the list is shorter.
 */
const lastOfFirst = inBothOrders<{ id: string }>(
  sort => `select p.id from payments p where ${inRange} order by p.id ${sort} offset :recent - 1 limit 1`,
)

export type TransitionRow = {
  at: Date
  from: Payment['status']
  to: Payment['status']
  cause: string
  detail: string | null
}

/** Returns a payment's status transitions, oldest first. */
export async function listTransitions(db: Db, tenantId: string, paymentId: string): Promise<TransitionRow[]> {
  const { rows } = await db.raw<{ rows: TransitionRow[] }>(
    `select at, from_status as "from", to_status as "to", cause, detail
     from payment_transitions where tenant_id = ? and payment_id = ? order by number`,
    [tenantId, paymentId],
  )
  return rows
}

/**
 * Finds a payment of any tenant by its id, with one index lookup per tenant (`limit 1` makes the planner use it). An
 * additional index would be faster, but it is not worth its cost: it would slow down writes, and only the operator uses
 * this query.
 */
export async function findPaymentOfAnyTenant(db: Db, id: string): Promise<Payment | undefined> {
  if (isDistributed(db)) return findPaymentOnShards(db, id)
  const { rows } = await db.raw<{ rows: Payment[] }>(
    `select found.* from tenants t cross join lateral (
       select ${paymentColumns} from payments p where p.tenant_id = t.id and p.id = ? limit 1
     ) found`,
    [id],
  )
  return rows[0]
}

/**
 * Finds a payment of any tenant on Citus. The shards have no table `tenants`. Each shard therefore finds its tenants in
 * an index of its payments, by jumping from one tenant to the next.
 */
async function findPaymentOnShards(db: Db, id: string): Promise<Payment | undefined> {
  const [found] = await queryShards<{ tenant_id: string }>(
    db,
    'payments',
    `with recursive tenant as (
       (select tenant_id from payments order by tenant_id limit 1)
       union all
       select following.tenant_id from tenant cross join lateral (
         select p.tenant_id from payments p where p.tenant_id > tenant.tenant_id order by p.tenant_id limit 1
       ) following
     )
     select tenant_id from tenant where exists (
       select from payments p where p.tenant_id = tenant.tenant_id and p.id = :id)`,
    { id },
  )
  return found && findPaymentOf(db, { tenantId: found.tenant_id, id })
}

async function findPaymentOf(db: Db, key: { tenantId: string; id: string }): Promise<Payment | undefined> {
  const { rows } = await db.raw<{ rows: Payment[] }>(
    `select ${paymentColumns} from payments p where p.tenant_id = :tenantId and p.id = :id`,
    key,
  )
  return rows[0]
}

/** Finds any tenant's payment by its id or its payment code, because the operator's requests can contain either. */
export async function findPaymentByIdOrCode(db: Db, idOrCode: string): Promise<Payment | undefined> {
  const find = isId(idOrCode) ? findPaymentOfAnyTenant : findPaymentByCode
  return find(db, idOrCode)
}

/**
 * Returns the ID of the payment with this ID or payment code. An ID is returned unchanged. If no payment has
 * the payment code, undefined is returned.
 */
export const idOfPayment = async (db: Db, idOrCode: string): Promise<string | undefined> =>
  isId(idOrCode) ? idOrCode : (await findPaymentByCode(db, idOrCode))?.id

/**
 * Finds any tenant's payment by its payment code, in upper or lower case. The code is also the order reference of
 * the first charge attempt, and order references are indexed.
 */
export async function findPaymentByCode(db: Db, code: string): Promise<Payment | undefined> {
  if (!isPaymentCode(code)) return undefined
  const paymentCode = code.toUpperCase()
  // The reference and its payment are read with two statements, because on Citus, references and payments are on
  // different nodes and cannot be joined.
  const { rows } = await db.raw<{ rows: { tenantId: string; id: string }[] }>(
    `select tenant_id as "tenantId", payment_id as id from payment_references where reference = :paymentCode`,
    { paymentCode },
  )
  const payment = rows[0] && (await findPaymentOf(db, rows[0]))
  return payment?.paymentCode === paymentCode ? payment : undefined
}
