// Tests how many rows a payment list query reads if nearly all payments have the same status and method.
// PostgreSQL's estimates for rare values are least accurate in this case.

import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant } from '../../test/support/make.ts'
import { allPaymentsOf } from '../../test/support/payment-filter.ts'
import { rowsReadBy } from '../../test/support/rows-read.ts'
import { listCallbacks } from '../callbacks/callback-list.sql.ts'
import type { Db, Tx } from '../db/db.ts'
import { firstPage, listOrders, sqlOf } from '../db/list-order.ts'
import type { PaymentFilter } from './read/payment-filter.sql.ts'
import { listPayments, RECENT } from './read/payment-list.sql.ts'

const COUNT = 20_000
const PAGE = 21

let db: Db
let filter: PaymentFilter
beforeAll(async () => {
  const database = await testDatabase()
  const { owner } = database
  ;({ db } = database)
  const tenantId = await makeTenant(db)
  const payment = await insertPendingPayment(db, { tenantId })
  // Inserts the rows with several statements, because a single statement would exceed the statement timeout on a busy
  // machine.
  for (let first = 1; first <= COUNT; first += 2_000)
    await db.raw(
      `insert into payments
       select (jsonb_populate_record(p, jsonb_build_object('id', uuidv7(n * interval '-1 second'), 'idempotency_key', n))).*
       from payments p, generate_series(?::integer, ?::integer) n where p.id = ?`,
      [first, first + 1_999, payment.id],
    )
  await db.raw(
    `insert into provider_accounts (id, provider_code, mode, name, credentials_sealed)
     values (?, 'midtrans', 'test', 'Midtrans', 'sealed')`,
    [payment.providerAccountId],
  )
  await db.raw(
    `insert into provider_callbacks (id, provider_account_id, provider, headers, body)
     select uuidv7(n * interval '-1 second'), ?, 'midtrans', '{}', '' from generate_series(1, ?) n`,
    [payment.providerAccountId, COUNT],
  )
  await owner.raw('analyze payments, provider_callbacks')
  filter = allPaymentsOf(tenantId)
})

async function readBy(list: (tx: Tx) => Promise<unknown[]>): Promise<{ found: number; read: number }> {
  return db.transaction(async tx => {
    let found = 0
    const read = await rowsReadBy(tx, ['payments', 'provider_callbacks'], async () => {
      found = (await list(tx)).length
    })
    return { found, read }
  })
}

describe.each(listOrders)('listing payments, %s first, reads a limited number of rows', order => {
  const rowsOfPage = async (tx: Tx, wanted: PaymentFilter) =>
    (await listPayments(tx as Db, wanted, firstPage(order), PAGE)).rows

  test('listing a page of payments reads only a few rows, even if all payments are similar', async () => {
    // The query runs ten times, because PostgreSQL may run a prepared statement with a different plan from
    // its sixth execution on.
    for (let n = 0; n < 10; n++) {
      const { found, read } = await readBy(tx => rowsOfPage(tx, filter))
      expect(found).toBe(PAGE)
      expect(read).toBeLessThan(3 * PAGE)
    }
  })

  test('listing payments reads a limited number of rows even if no payment matches the filter', async () => {
    for (let n = 0; n < 10; n++) {
      const { found, read } = await readBy(tx => rowsOfPage(tx, { ...filter, statuses: ['paid'] }))
      expect(found).toBe(0)
      expect(read).toBeLessThan(2 * (RECENT + PAGE) + 3 * PAGE)
    }
  })

  test('a list of payments with a rare status is complete and in order, although two queries read it', async () => {
    const { rows } = await db.raw<{ rows: { id: string }[] }>(
      `select id from payments where tenant_id = ? order by id ${sqlOf[order].sort}`,
      [filter.tenantId],
    )
    const at = (n: number) => (rows[n] as { id: string }).id
    const end = RECENT + PAGE
    const rare = [3, RECENT + 1, end - 1, end, end + 1, COUNT - 1].map(at)
    await db.raw(`update payments set status = 'failed' where id = any(?)`, [rare])
    const failed = (afterId: string | undefined, limit: number) =>
      listPayments(db, { ...filter, statuses: ['failed'] }, { order, afterId }, limit).then(({ rows }) =>
        rows.map(({ id }) => id),
      )
    expect(await failed(undefined, PAGE)).toEqual(rare)
    expect(await failed(undefined, 2)).toEqual(rare.slice(0, 2))
    expect(await failed(undefined, 3)).toEqual(rare.slice(0, 3))
    expect(await failed(rare[1], 2)).toEqual(rare.slice(2, 4))
    expect(await failed(rare[4], PAGE)).toEqual(rare.slice(5))
    await db.raw(`update payments set status = 'pending' where id = any(?)`, [rare])
  })
})

test.each(listOrders)('listing a page of callbacks, %s first, does not scan the whole table', async order => {
  const wanted = { provider: null, providerAccountId: null, mode: null, status: null, paymentId: null }
  const { found, read } = await readBy(tx => listCallbacks(tx as Db, wanted, firstPage(order), PAGE))
  expect(found).toBe(PAGE)
  expect(read).toBeLessThan(5 * PAGE)
})
