// Reads a page of payments whose size in bytes is limited, because a hundred payments with a hundred items each
// take up five megabytes. Several queries fill the page step by step (page-size-limit.ts).

import type { Db } from '../../db/db.ts'
import type { PageStart } from '../../db/list-order.ts'
import { MAX_PAGE_BYTES } from '../../fairness/page-size-limit.ts'
import { boundedCache } from '../../values/bounded-cache.ts'
import type { Payment } from '../payment.ts'
import type { PaymentFilter } from './payment-filter.sql.ts'
import { listPayments } from './payment-list.sql.ts'

/**
 * The number of rows that the first query for a page reads. Most pages need no further query. If a second query is
 * needed, the size of the first rows determines how many rows it reads.
 */
const FIRST_ROWS = 25

/**
 * For each tenant whose last page reached the byte limit: the number of rows that fit into a page, plus one. The first
 * query for the tenant's next page reads this number of rows.
 */
const rowsThatFit = boundedCache<number>(10_000)

/**
 * How often one page may continue a search whose filters exclude nearly all matches. After that, the page is returned
 * even if it is not full, so that a request examines at most about 60,000 payments.
 */
const MOST_CONTINUED = 2

/**
 * A page of payments. The next page starts after the payment `resumeAfterId`; on the last page, `resumeAfterId` is
 * undefined. A search can return an empty page that is not the last page.
 */
export type PaymentPage = { rows: Payment[]; resumeAfterId: string | undefined; bytes: number }

/**
 * Returns at most `limit` payments after the position `start`, in list order. The first query reads
 * `firstRows` rows: a caller that reads several pages passes the number of rows of the previous page.
 */
export async function readPaymentPage(
  db: Db,
  filter: PaymentFilter,
  start: PageStart,
  limit: number,
  firstRows = rowsThatFit.get(filter.tenantId) ?? FIRST_ROWS,
): Promise<PaymentPage> {
  const payments: Payment[] = []
  let bytes = 0
  let { afterId } = start
  let continued = 0
  for (;;) {
    const rowsInRoom = Math.floor(((MAX_PAGE_BYTES - bytes) * payments.length) / bytes) + 1
    const rowLimit = Math.min(payments.length === 0 ? firstRows : rowsInRoom, limit + 1 - payments.length)
    const { rows, examinedTo } = await listPayments(db, filter, { ...start, afterId }, rowLimit)
    for (const payment of rows) {
      const size = bytesOf(payment)
      const isFull = payments.length === limit || (payments.length > 0 && bytes + size > MAX_PAGE_BYTES)
      if (isFull) {
        if (payments.length < limit) rowsThatFit.set(filter.tenantId, payments.length + 1)
        else rowsThatFit.delete(filter.tenantId)
        return { rows: payments, resumeAfterId: afterId, bytes }
      }
      payments.push(payment)
      bytes += size
      afterId = payment.id
    }
    if (rows.length === rowLimit) continue
    if (examinedTo !== undefined && continued < MOST_CONTINUED) {
      continued += 1
      afterId = examinedTo
      continue
    }
    rowsThatFit.delete(filter.tenantId)
    return { rows: payments, resumeAfterId: examinedTo, bytes }
  }
}

const BYTES_WITHOUT_ITEMS = 1_000
const BYTES_OF_ITEM = 60

/** Estimates a payment's size in bytes. All fields except the items are small and bounded. */
function bytesOf({ items }: Payment): number {
  return items.reduce(
    (sum, { id, name }) => sum + BYTES_OF_ITEM + id.length + name.length,
    BYTES_WITHOUT_ITEMS,
  )
}
