// A page of payments. One may have a hundred items, and a hundred of these are five megabytes: so they are read in parts
// until the page has its bytes (page-bytes.ts).

import { LRUCache } from 'lru-cache'
import type { Db } from '../db/db.ts'
import { PAGE_BYTES, type Page } from '../page-bytes.ts'
import type { Payment } from './payment.ts'
import { listPayments, type PaymentFilter } from './payment-list.sql.ts'

/** Read first; from their size follows how many are read next. The usual page is one read. */
const FIRST_ROWS = 25

/** Of tenants whose last page ended at its bytes, how many to read first: what does not fit was read for nothing. */
const rowsThatFit = new LRUCache<string, number>({ max: 10_000 })

/**
 * Newest first, those before afterId: at most `limit`, and at least one where there are any. firstRows: read at first,
 * where the page before tells how many there is room for.
 */
export async function readPage(
  db: Db,
  filter: PaymentFilter,
  afterId: string | undefined,
  limit: number,
  firstRows = rowsThatFit.get(filter.tenantId) ?? FIRST_ROWS,
): Promise<Page<Payment>> {
  const payments: Payment[] = []
  let bytes = 0
  let lastId = afterId
  for (;;) {
    const rowsInRoom = Math.floor(((PAGE_BYTES - bytes) * payments.length) / bytes) + 1
    const wanted = Math.min(payments.length === 0 ? firstRows : rowsInRoom, limit + 1 - payments.length)
    const rows = await listPayments(db, filter, lastId, wanted)
    for (const payment of rows) {
      const size = bytesOf(payment)
      const isFull = payments.length === limit || (payments.length > 0 && bytes + size > PAGE_BYTES)
      if (isFull) {
        if (payments.length < limit) rowsThatFit.set(filter.tenantId, payments.length + 1)
        else rowsThatFit.delete(filter.tenantId)
        return { rows: payments, hasMore: true, bytes }
      }
      payments.push(payment)
      bytes += size
      lastId = payment.id
    }
    if (rows.length === wanted) continue
    rowsThatFit.delete(filter.tenantId)
    return { rows: payments, hasMore: false, bytes }
  }
}

const BYTES_WITHOUT_ITEMS = 1_000
const BYTES_OF_ITEM = 60

/** An estimate: all fields but the items are bounded and small. */
function bytesOf({ items }: Payment): number {
  return items.reduce(
    (sum, { id, name }) => sum + BYTES_OF_ITEM + id.length + name.length,
    BYTES_WITHOUT_ITEMS,
  )
}
