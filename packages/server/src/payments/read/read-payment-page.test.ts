import { beforeAll, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, makeTenant } from '../../../test/support/make.ts'
import { allPaymentsOf } from '../../../test/support/payment-filter.ts'
import { rowsReadBy } from '../../../test/support/rows-read.ts'
import type { Db } from '../../db/db.ts'
import { firstPage, type ListOrder } from '../../db/list-order.ts'
import { MAX_PAGE_BYTES } from '../../fairness/page-size-limit.ts'
import type { PaymentFilter } from './payment-filter.sql.ts'
import { readPaymentPage } from './read-payment-page.ts'

let db: Db
beforeAll(async () => {
  ;({ db } = await testDatabase())
})

/** Inserts `count` payments for a new tenant, each with items of `bytes` bytes. Returns their ids, newest first. */
async function payments(count: number, bytes: number): Promise<{ filter: PaymentFilter; ids: string[] }> {
  const tenantId = await makeTenant(db)
  const items = Array.from({ length: bytes / 250 }, () => ({
    id: '',
    name: 'x'.repeat(250),
    price: 1,
    quantity: 1,
  }))
  const ids: string[] = []
  for (let n = 0; n < count; n++) ids.unshift((await insertPendingPayment(db, { tenantId, items })).id)
  return {
    filter: allPaymentsOf(tenantId),
    ids,
  }
}

async function allPages(
  filter: PaymentFilter,
  limit: number,
  order: ListOrder = 'newest',
): Promise<string[][]> {
  const pages: string[][] = []
  let afterId: string | undefined
  for (;;) {
    const page = await readPaymentPage(db, filter, { order, afterId }, limit)
    pages.push(page.rows.map(({ id }) => id))
    expect(page.bytes).toBeLessThanOrEqual(MAX_PAGE_BYTES)
    afterId = page.resumeAfterId
    if (afterId === undefined) return pages
  }
}

test('a page of small payments contains as many payments as requested, and indicates whether more payments follow', async () => {
  const { filter, ids } = await payments(60, 0)
  for (const limit of [1, 20, 30, 59, 60, 100])
    expect(await allPages(filter, limit)).toEqual(
      Array.from({ length: Math.ceil(60 / limit) }, (_, n) => ids.slice(n * limit, (n + 1) * limit)),
    )
})

test.each(['newest', 'oldest'] as const)(
  'a page of large payments ends at its byte limit, and all pages together contain each payment exactly once, with the %s payments first',
  async order => {
    const { filter, ids } = await payments(30, 50_000)
    const pages = await allPages(filter, 100, order)
    expect(pages.length).toBeGreaterThan(2)
    expect(pages.flat()).toEqual(order === 'newest' ? ids : ids.toReversed())
  },
)

test('the query after a full page reads at most one payment that does not fit into the next page', async () => {
  const { filter } = await payments(60, 50_000)
  const first = await readPaymentPage(db, filter, firstPage(), 100)
  const afterId = first.rows.at(-1)?.id
  const read = await db.transaction(async tx => {
    // The payments table of this test is so small that PostgreSQL might sort all of its rows. The following settings
    // force PostgreSQL to read the index in list order, as it would for a large table. With `force_custom_plan`,
    // PostgreSQL uses no plan that it cached without these settings.
    await tx.raw(
      `set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off;
       set local plan_cache_mode = force_custom_plan`,
    )
    return rowsReadBy(tx, ['payments'], async () => {
      expect((await readPaymentPage(tx as Db, filter, { order: 'newest', afterId }, 100)).rows).toHaveLength(
        first.rows.length,
      )
    })
  })
  expect(read).toBe(first.rows.length + 1)
})

test('a page contains at least one payment, even if this payment alone exceeds the maximum page size', async () => {
  const { filter, ids } = await payments(2, 2 * MAX_PAGE_BYTES)
  const first = await readPaymentPage(db, filter, firstPage(), 10)
  expect([first.rows.map(({ id }) => id), first.resumeAfterId]).toEqual([ids.slice(0, 1), ids[0]])
  const { filter: empty } = await payments(0, 0)
  expect(await readPaymentPage(db, empty, firstPage(), 10)).toEqual({
    rows: [],
    resumeAfterId: undefined,
    bytes: 0,
  })
})
