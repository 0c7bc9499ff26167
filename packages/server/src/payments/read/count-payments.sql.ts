import { type Count, countRows } from '../../db/count-rows.ts'
import type { Db } from '../../db/db.ts'
import { isDistributed } from '../../db/distributed-database.ts'
import { firstPage } from '../../db/list-order.ts'
import { boundsOf, hasTerms, ofEachKind, type PaymentFilter } from './payment-filter.sql.ts'
import { countMatches } from './payment-search.sql.ts'

/** Counts the payments that match a filter, up to 10,000. `isExact` is false if there are more. */
export async function countPayments(db: Db, filter: PaymentFilter): Promise<Count> {
  if (hasTerms(filter.search)) return countMatches(db, filter)
  const { search: _, createdIn, ...kinds } = filter
  return countRows(db, ofEachKind('newest', isDistributed(db)), {
    ...kinds,
    ...boundsOf(createdIn, firstPage()),
  })
}
