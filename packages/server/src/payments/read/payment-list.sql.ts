import type { Db } from '../../db/db.ts'
import { preparedStatement } from '../../db/prepared-statement.ts'
import type { Period } from '../../values/day.ts'
import { idsMadeIn, isId } from '../../values/id.ts'
import type { Mode } from '../../values/mode.ts'
import type { MethodType } from '../method.ts'
import { paymentColumns } from '../payment.sql.ts'
import type { Payment, ShownStatus } from '../payment.ts'
import { isPaymentCode, withDashes } from '../payment-code.ts'

/**
 * The values that a list of payments is filtered by. A payment must match one value of each array, so an empty array
 * matches no payment.
 */
export type ListedKinds = {
  modes: readonly Mode[]
  statuses: readonly ShownStatus[]
  methodTypes: readonly MethodType[]
  providers: readonly string[]
}

export type PaymentFilter = ListedKinds & { tenantId: string; createdIn: Period; search: string | undefined }

/**
 * Lists payments older than `afterId`, newest first. The first query filters the newest `limit` + RECENT payments,
 * which usually fills the page. Otherwise, a second query looks up older payments by each combination of filter values.
 * Both queries read a limited number of rows, whatever the size of the table.
 */
export async function listPayments(
  db: Db,
  { search, createdIn, ...kinds }: PaymentFilter,
  afterId: string | undefined,
  limit: number,
): Promise<Payment[]> {
  const values = { ...kinds, ...boundsOf(createdIn, afterId), limit, recent: limit + RECENT }
  if (search !== undefined) return searchPayments(db, search, values)
  const found = await listRecent(db, values)
  const [last] = found.length < limit ? await lastOfRecent(db, values) : []
  if (!last) return found
  // A payment created between the two statements changes which payments are the newest RECENT ones. The second query
  // therefore continues from the older of the two ids.
  const beforeId = [last.id, found.at(-1)?.id ?? last.id].sort()[0]
  const older = await db.raw<{ rows: Payment[] }>(page(newestOfEachKind('')), {
    ...values,
    beforeId,
    limit: limit - found.length,
  })
  return [...found, ...older.rows]
}

/** Combines the period and the cursor into one range of ids, because the index is sorted by id. */
function boundsOf(period: Period, afterId: string | undefined) {
  const { fromId, beforeId } = idsMadeIn(period)
  const turned = afterId !== undefined && afterId.toLowerCase() < beforeId
  return { from: period.from, before: period.before, fromId, beforeId: turned ? afterId : beforeId }
}

/** How many of the newest payments, beyond a full page, the first query reads. */
export const RECENT = 200

const inRange = 'p.tenant_id = :tenantId and p.id >= :fromId and p.id < :beforeId'
const matches = `
  p.mode = any(:modes) and p.status = any(:statuses)
  and p.method_type = any(:methodTypes) and p.provider = any(:providers)
  and p.created_at >= :from and p.created_at < :before`

const listRecent = preparedStatement<Payment>(
  `select ${paymentColumns}
   from (select * from payments p where ${inRange} order by p.id desc limit :recent) p
   where ${matches} order by p.id desc limit :limit`,
)

/** Returns the oldest of the tenant's newest `recent` payments, or nothing if the tenant has fewer. */
const lastOfRecent = preparedStatement<{ id: string }>(
  `select p.id from payments p where ${inRange} order by p.id desc offset :recent - 1 limit 1`,
)

/** SQL for the payments with the ids that the query `found` selects. */
const page = (found: string): string => `
  select ${paymentColumns}
  from (${found}) page join payments p on p.tenant_id = :tenantId and p.id = page.id
  order by p.id desc limit :limit`

/** All columns of the index payments_by_kind, in the order of the index. */
const kind = ['tenant_id', 'mode', 'status', 'method_type', 'provider', 'id'].map(column => `p.${column}`)
const kindWith = (id: string): string =>
  `(cast(:tenantId as uuid), mode.mode, status.status, method_type.method_type, provider.provider, cast(${id} as uuid))`

/**
 * Looks up each combination of filter values in the index payments_by_kind. Each lookup reads at most one page,
 * whatever the size of the table. A filter never has an internal status.
 *
 * The query compares whole rows and sorts by every column of the index, because no other index has that order. With a
 * comparison per column, the planner could choose the primary key; a lookup of a rare kind would then read nearly all
 * payments. The query is planned on each call, because a plan made for an empty table could also read all payments.
 */
const newestOfEachKind = (condition: string): string => `
  select newest.id
  from unnest(:modes::text[]) mode, unnest(:statuses::text[]) status,
       unnest(:methodTypes::text[]) method_type, unnest(:providers::text[]) provider
  cross join lateral (
    select p.id from payments p
    where (${kind.join(', ')}) >= ${kindWith(':fromId')} and (${kind.join(', ')}) < ${kindWith(':beforeId')}
      and p.created_at >= :from and p.created_at < :before ${condition}
    order by ${kind.map(column => `${column} desc`).join(', ')} limit :limit
  ) newest
  order by newest.id desc limit :limit`

/**
 * The maximum number of matches that a search reads and sorts. With more matches, scanning from the newest payment
 * fills a page sooner.
 */
const MAX_SORTED_MATCHES = 1_000

const customerColumns = ['customer_name', 'customer_email', 'customer_phone'] as const
const begins = (column: string): string => `p.${column} <> '' and lower(p.${column}) like lower(:prefix)`

/**
 * SQL that finds up to `:few` payments per customer column, in the order of that column's index
 * (migrations/0021_row_security.sql).
 */
const fewCustomers = 'select id from find_customers(:tenantId, :prefix, :few) as id'

const exactly = `
  select id from payments where tenant_id = :tenantId and id = :searchId
  union all
  select payment_id as id from payment_references where reference = :reference and tenant_id = :tenantId
  union all
  select id from payments
  where tenant_id = :tenantId and mode in ('live', 'test') and idempotency_key = :search
  union all (
    select id from payments where tenant_id = :tenantId and provider_payment_id = :search
    order by id desc limit :few)`

/** Selects those found payments that match the other filters. Each payment is looked up by its key. */
const matchesAmong = (found: string): string => `
  select wanted.id from (select distinct id from (${found}) every) found
  cross join lateral (
    select p.id from payments p
    where ${inRange} and p.id = found.id and ${matches}
    limit 1
  ) wanted`

/** Searches payments by customer. `values` are the parameters of `listRecent`. */
async function searchPayments(
  db: Db,
  search: string,
  values: { tenantId: string; limit: number; recent: number },
): Promise<Payment[]> {
  const bindings = {
    ...values,
    search,
    reference: withDashes(search.toUpperCase()),
    searchId: isId(search) ? search : null,
    prefix: `${search.replace(/[\\%_]/g, '\\$&')}%`,
    few: MAX_SORTED_MATCHES,
  }
  const counted = await db.raw<{ rows: { few: boolean }[] }>(
    `select count(*) < :few as few from (${fewCustomers}) found`,
    bindings,
  )
  const found = counted.rows[0]?.few
    ? matchesAmong(`${exactly} union all ${fewCustomers}`)
    : `${matchesAmong(exactly)} union (${newestOfEachKind(`and (${customerColumns.map(begins).join(' or ')})`)})`
  const { rows } = await db.raw<{ rows: Payment[] }>(page(found), bindings)
  return rows
}

export type TransitionRow = {
  at: Date
  from: Payment['status']
  to: Payment['status']
  cause: string
  detail: string | null
}

/** Returns a payment's status transitions in the order in which they happened. */
export async function listTransitions(db: Db, tenantId: string, paymentId: string): Promise<TransitionRow[]> {
  const { rows } = await db.raw<{ rows: TransitionRow[] }>(
    `select at, from_status as "from", to_status as "to", cause, detail
     from payment_transitions where tenant_id = ? and payment_id = ? order by number`,
    [tenantId, paymentId],
  )
  return rows
}

/**
 * Finds a payment of any tenant, with one index lookup per tenant. Only the Owner uses this query, and an index over
 * all tenants would slow down every write. `limit 1` makes the planner use an index lookup.
 */
export async function findPaymentOfAnyTenant(db: Db, id: string): Promise<Payment | undefined> {
  const { rows } = await db.raw<{ rows: Payment[] }>(
    `select found.* from tenants t cross join lateral (
       select ${paymentColumns} from payments p where p.tenant_id = t.id and p.id = ? limit 1
     ) found`,
    [id],
  )
  return rows[0]
}

/**
 * Finds a payment of any tenant by its code, in any casing. The code is the reference of the payment's first attempt.
 */
export async function findPaymentByCode(db: Db, code: string): Promise<Payment | undefined> {
  if (!isPaymentCode(code)) return undefined
  const { rows } = await db.raw<{ rows: Payment[] }>(
    `select ${paymentColumns}
     from payment_references r join payments p on p.tenant_id = r.tenant_id and p.id = r.payment_id
     where r.reference = upper(:code) and p.payment_code = upper(:code)`,
    { code },
  )
  return rows[0]
}
