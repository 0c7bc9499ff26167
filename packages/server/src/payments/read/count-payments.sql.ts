import type { Db } from '../../db/db.ts'
import { firstPage } from '../../db/list-order.ts'
import { boundsOf, hasTerms, ofEachKind, type PaymentFilter } from './payment-filter.sql.ts'
import { countMatches } from './payment-search.sql.ts'

/**
 * The largest exact count. Counting stops at this number, because a count reads every matching row of an
 * index.
 */
const LARGEST_COUNT = 10_000

/** Counts the payments that match a filter, up to 10,000. `isExact` is false if there are more. */
export async function countPayments(
  db: Db,
  filter: PaymentFilter,
): Promise<{ count: number; isExact: boolean }> {
  if (hasTerms(filter.search)) return countMatches(db, filter, LARGEST_COUNT + 1)
  const { search: _, createdIn, ...kinds } = filter
  const { rows } = await db.raw<{ rows: { count: number }[] }>(
    `select count(*)::integer as count from (${ofEachKind('newest')} limit :limit) matching`,
    { ...kinds, ...boundsOf(createdIn, firstPage()), limit: LARGEST_COUNT + 1 },
  )
  const { count } = rows[0] as { count: number }
  return { count: Math.min(count, LARGEST_COUNT), isExact: count <= LARGEST_COUNT }
}
