// Tests searches in which another filter excludes nearly all payments that contain the searched word.

import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, makeTenant } from '../../../test/support/make.ts'
import { allPaymentsOf } from '../../../test/support/payment-filter.ts'
import type { Db } from '../../db/db.ts'
import { firstPage, type ListOrder, listOrders } from '../../db/list-order.ts'
import { countPayments } from './count-payments.sql.ts'
import type { PaymentLine } from './export-line.ts'
import { exportPayments } from './export-payments.ts'
import type { PaymentFilter } from './payment-filter.sql.ts'
import { readPaymentPage } from './read-payment-page.ts'

const COUNT = 65_000
const CHUNK = 5_000
/**
 * Only payments after this position, counted from the newest payment, contain the word `agus`. The word is therefore
 * not frequent among the newest payments.
 */
const OLDER = 40_000
/**
 * The few payments with the status that the test searches for, as positions in the list of all payments, counted
 * from the newest.
 */
const RARE = [10, 25_000, 50_000, 64_990]

let db: Db
let filter: PaymentFilter
let rare: string[]
beforeAll(async () => {
  const database = await testDatabase()
  ;({ db } = database)
  const tenantId = await makeTenant(db)
  const { id } = await insertPendingPayment(db, { tenantId })
  const timed = `uuidv7(n * interval '-1 second')`
  // Triggers are disabled, because the rows are then inserted several times faster.
  await database.owner.raw('alter table payments disable trigger user')
  for (let first = 1; first <= COUNT; first += CHUNK)
    await database.owner.raw(
      `with made as (
         insert into payments
         select (jsonb_populate_record(p, jsonb_build_object('id', ${timed}, 'idempotency_key', n,
           'status', case when n = any(?) then 'failed' else 'pending' end))).*
         from payments p, generate_series(?::integer, ?::integer) n where p.id = ?
         returning tenant_id, id
       )
       insert into payment_search (tenant_id, payment_id, words)
       select tenant_id, id, array_to_tsvector(array(
         select right(tenant_id::text, 4) || word
         from (values ('budi', true), ('agus', id < uuidv7(-${OLDER} * interval '1 second'))) w (word, has) where has
       )) from made`,
      [RARE, first, first + CHUNK - 1, id],
    )
  await database.owner.raw('alter table payments enable trigger user')
  await database.owner.raw('analyze payments, payment_search')
  const { rows } = await db.raw<{ rows: { id: string }[] }>(
    `select id from payments where tenant_id = ? and status = 'failed' order by id desc`,
    [tenantId],
  )
  rare = rows.map(row => row.id)
  const search = { text: 'budi', channel: undefined, amount: undefined }
  filter = { ...allPaymentsOf(tenantId), statuses: ['failed'], search }
}, 300_000)

async function pages(order: ListOrder): Promise<string[][]> {
  const read: string[][] = []
  let afterId: string | undefined
  do {
    const page = await readPaymentPage(db, filter, { order, afterId }, 20)
    read.push(page.rows.map(({ id }) => id))
    afterId = page.resumeAfterId
  } while (afterId !== undefined)
  return read
}

describe.each(listOrders)(
  'a search whose filter excludes nearly all matches still finds the others, %s first',
  order => {
    test('each page of a search ends after about 60,000 examined payments, and all pages together contain every match', async () => {
      const found = await pages(order)
      expect(found.flat()).toEqual(order === 'newest' ? rare : rare.toReversed())
      expect(found.map(page => page.length)).toEqual([3, 1])
    })

    test('exports every match', async () => {
      const lines: PaymentLine[] = []
      await exportPayments({ db }, filter, order, async line => void lines.push(line))
      expect(lines.map(line => (line.type === 'end' ? line.count : line.type))).toEqual([
        ...rare.map(() => 'payment'),
        rare.length,
      ])
    })
  },
)

test('a search for a frequent word that occurs only in older payments still finds every match', async () => {
  const search = { ...filter.search, text: 'agus' }
  const { rows, resumeAfterId } = await readPaymentPage(db, { ...filter, search }, firstPage(), 20)
  expect([rows.map(({ id }) => id), resumeAfterId]).toEqual([rare.slice(2), undefined])
})

test('the count of a search is exact only if all its matches were examined', async () => {
  expect(await countPayments(db, filter)).toEqual({ count: rare.length, isExact: true })
  const search = { ...filter.search, text: 'agus' }
  expect(await countPayments(db, { ...filter, search })).toEqual({ count: 1, isExact: false })
})

test('a search for a frequent word counts up to 10,000 matches', async () => {
  expect(await countPayments(db, { ...filter, statuses: ['pending'] })).toEqual({
    count: 10_000,
    isExact: false,
  })
})
