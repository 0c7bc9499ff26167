// The payment filter and its SQL, used to list, search and count payments.

import { type ListOrder, type PageStart, sqlOf } from '../../db/list-order.ts'
import type { Period } from '../../values/day.ts'
import { idAfter, idsMadeIn } from '../../values/id.ts'
import type { Mode } from '../../values/mode.ts'
import type { MethodType } from '../method.ts'
import { paymentColumns } from '../payment.sql.ts'
import type { ShownStatus } from '../payment.ts'
import type { SearchTerms } from './search-query.ts'

/**
 * The values by which a list of payments is filtered. A payment matches if each field has one of the listed
 * values. With an empty list, no payment matches.
 */
export type ListedKinds = {
  modes: readonly Mode[]
  statuses: readonly ShownStatus[]
  methodTypes: readonly MethodType[]
  providers: readonly string[]
}

export type PaymentFilter = ListedKinds & { tenantId: string; createdIn: Period; search: SearchTerms }

export const hasTerms = (search: SearchTerms): boolean =>
  Object.values(search).some(term => term !== undefined)

/**
 * Combines a list's period and cursor (its start position) into one range of payment ids. The indexes are
 * sorted by id, so a query can read only this range.
 */
export function boundsOf(period: Period, { order, afterId }: PageStart) {
  const { fromId, beforeId } = idsMadeIn(period)
  const bounds = { from: period.from, before: period.before, fromId, beforeId }
  if (afterId === undefined) return bounds
  return order === 'newest'
    ? { ...bounds, beforeId: [beforeId, afterId.toLowerCase()].toSorted()[0] as string }
    : { ...bounds, fromId: [fromId, idAfter(afterId)].toSorted()[1] as string }
}

export const inRange = 'p.tenant_id = :tenantId and p.id >= :fromId and p.id < :beforeId'
export const matches = `
  p.mode = any(:modes) and p.status = any(:statuses)
  and p.method_type = any(:methodTypes) and p.provider = any(:providers)
  and p.created_at >= :from and p.created_at < :before`

/**
 * Returns SQL that reads the page of payments whose ids the query `found` selects. `materialized` makes
 * PostgreSQL run `found` only once, even while the table has no statistics.
 */
export const page = (found: string, order: ListOrder): string => `
  with page as materialized (${found})
  select ${paymentColumns}
  from page join payments p on p.tenant_id = :tenantId and p.id = page.id
  order by p.id ${sqlOf[order].sort} limit :limit`

/** The columns of the index payments_by_kind, in index order. */
const kind = ['tenant_id', 'mode', 'status', 'method_type', 'provider', 'id'].map(column => `p.${column}`)
const kindWith = (id: string): string =>
  `(cast(:tenantId as uuid), mode.mode, status.status, method_type.method_type, provider.provider, cast(${id} as uuid))`

/**
 * Looks up each combination of filter values in the index payments_by_kind, and reads at most one page of payments for
 * each. Comparing whole rows and sorting by every column forces PostgreSQL's planner to use this index. With the
 * primary key, PostgreSQL could read nearly all payments to find a rare status or method.
 *
 * The query is planned on each call, because a plan that was cached while the table was empty could read all payments.
 * On a distributed database, a separate comparison of `tenant_id` lets Citus find the shard.
 */
export const ofEachKind = (order: ListOrder, isDistributed: boolean): string => `
  select first.id
  from unnest(:modes::text[]) mode, unnest(:statuses::text[]) status,
       unnest(:methodTypes::text[]) method_type, unnest(:providers::text[]) provider
  cross join lateral (
    select p.id from payments p
    where ${isDistributed ? 'p.tenant_id = :tenantId and ' : ''}(${kind.join(', ')}) >= ${kindWith(':fromId')} and (${kind.join(', ')}) < ${kindWith(':beforeId')}
      and p.created_at >= :from and p.created_at < :before
    order by ${kind.map(column => `${column} ${sqlOf[order].sort}`).join(', ')} limit :limit
  ) first`

export const firstOfEachKind = (order: ListOrder, isDistributed: boolean): string =>
  `${ofEachKind(order, isDistributed)} order by first.id ${sqlOf[order].sort} limit :limit`
