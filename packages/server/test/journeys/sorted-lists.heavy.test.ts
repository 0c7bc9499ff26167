// Tests long lists that are read in pages and in two sort orders. Items that a test adds while it reads a list
// are newer than all existing items.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { listOrders } from '../../src/db/list-order.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { insertPendingPayment } from '../support/make.ts'
import { type Answer, http, logIn } from '../support/merchant.ts'
import { refundOf } from '../support/tenant-with-all-rows.ts'
import { usersOf } from '../support/user.ts'

let { app, demo }: TestApp = {} as TestApp
let owner: string
beforeAll(async () => {
  // A worker would add rows of its own, such as the daily reconciliation runs.
  ;({ app, demo } = await testApp({ worker: false }))
  owner = await logIn(demo, demo.owner)
})

const pending = (tenantId: string) =>
  insertPendingPayment(app.db, { tenantId, mode: 'test', createdAt: new Date(), updatedAt: new Date() })

function pay({ tenantId, id }: Payment) {
  const reference = 'GP261120-7Q4M2ZK8XW'
  const event = { type: 'paid', amountPaid: 10_000_000n, paidAt: new Date(), reference } as const
  const report = { tenantId, paymentId: id, event, cause: 'callback' }
  return app.db.transaction(tx => recordEvents(tx, [report], new Date()))
}

/** Adds one row to a list. */
type Add = (tenantId: string) => Promise<unknown>
const addPaid: Add = async tenantId => pay(await pending(tenantId))
const addRefund: Add = async tenantId => {
  const payment = await pending(tenantId)
  await pay(payment)
  await refundOf(app.db, payment)
}

let rows = 0
const insert =
  (sql: string): Add =>
  tenantId =>
    app.db.raw(sql, { tenantId, id: newId(), accountId: demo.provider_accounts[0]?.id ?? '', n: ++rows })

const addCallback = insert(
  `insert into provider_callbacks (id, provider_account_id, provider, headers, body, status)
   values (:id, :accountId, 'midtrans', '{}', 'x', 'ignored')`,
)
const addMoney = insert(
  `insert into unexpected_money (id, kind, provider, provider_account_id, mode, reference, receipt, amount, credited,
     paid_at, created_at)
   values (:id, 'unknown_reference', 'midtrans', :accountId, 'test', :id, '', 1, false, now(), now())`,
)
const addDifference = insert(
  `insert into reconciliation_differences (id, matter, day, mode, kind, "between", tenant_id, payment_id, reference,
     provider, provider_account_id, detail, found_at, last_found_at)
   values (:id, :id, '2026-11-20', 'test', 'amount', 'payments_ledger', :tenantId, :id, 'a reference', 'midtrans',
     :accountId, 'a detail', now(), now())`,
)
const addRun = insert(
  `insert into reconciliation_runs (day, mode, id, started_at) values (date '2000-01-01' + :n::integer, 'test', :id, now())`,
)
const addSettlement = insert(
  `insert into settlements (id, provider_account_id, date, uploaded_at)
   values (:id, :accountId, date '2000-01-01' + :n::integer, now())`,
)
const addAudit = insert(
  `insert into audit_log (id, actor_tenant_id, action, tenant_id) values (:id, :tenantId, 'api_key.create', :tenantId)`,
)
const addRequest = insert(
  `insert into api_requests (tenant_id, id, mode, api_key_id, request_id, method, route, path, status, duration_ms)
   values (:tenantId, :id, 'test', :id, 'a request', 'GET', '/v1/payments', '/v1/payments', 200, 1)`,
)
const ENDPOINT = '01990000-0000-7000-8000-000000000040'
const addEndpointDelivery: Add = async tenantId => {
  await addPaid(tenantId)
  await insert(
    `insert into additional_endpoints (tenant_id, id, mode, slot, url, description, event_types, schedule,
       secret_sealed, enabled, created_at)
     values (:tenantId, '${ENDPOINT}', 'test', 1, 'https://example.com', '', '{}', 'short', 'sealed', false, now())
     on conflict do nothing`,
  )(tenantId)
  await insert(
    `insert into additional_deliveries (tenant_id, event_id, endpoint_id, status)
     select tenant_id, id, '${ENDPOINT}', 'delivered' from webhook_events where tenant_id = :tenantId
     on conflict do nothing`,
  )(tenantId)
}

type Reader = 'merchant' | 'owner'
const lists: [path: string, Reader, Add][] = [
  ['/v1/payments?mode=test', 'merchant', pending],
  ['/v1/payments?mode=test&q=budi', 'merchant', pending],
  ['/v1/refunds?mode=all', 'merchant', addRefund],
  ['/v1/account/ledger?mode=test', 'merchant', addPaid],
  ['/v1/account/requests?mode=test', 'merchant', addRequest],
  ['/v1/audit-log?action=api_key.create', 'merchant', addAudit],
  ['/v1/webhook-deliveries?mode=test', 'merchant', addPaid],
  [`/v1/webhook-endpoints/${ENDPOINT}/deliveries?status=delivered`, 'merchant', addEndpointDelivery],
  ['/v1/provider-callbacks?mode=all', 'owner', addCallback],
  ['/v1/unexpected-money?mode=test', 'owner', addMoney],
  ['/v1/reconciliation-differences?mode=test', 'owner', addDifference],
  ['/v1/reconciliation-runs?mode=test', 'owner', addRun],
  ['/v1/providers/midtrans/accounts/{account}/settlements?mode=test', 'owner', addSettlement],
]

/**
 * Returns two functions: one reads the list, and one adds a row. The rows belong to a new tenant, so a merchant's
 * list contains only this test's rows.
 */
async function open(path: string, reader: Reader, add: Add) {
  const { makeUser, startSession } = usersOf({ app, demo })
  const merchant = await makeUser()
  const accountId = demo.provider_accounts.find(({ provider }) => provider === 'midtrans')?.id ?? ''
  const auth = reader === 'owner' ? owner : `Bearer ${(await startSession(merchant)).access_token}`
  const ask = (query: string): Promise<Answer> =>
    http('GET', `${demo.base_url}${path.replace('{account}', accountId)}&${query}`, { auth })
  return { ask, addRow: () => add(merchant.tenantId) }
}

/** How many rows the test adds while it reads the list. It adds one row after each page. */
const ROWS_ADDED = 3

const inBothOrders = lists.flatMap(([path, reader, add]) =>
  listOrders.map(order => [path, order, reader, add] as const),
)

test.each(inBothOrders)(
  'the pages of the list %s contain each row once, %s first, even while rows are added',
  async (path, order, reader, add) => {
    const { ask, addRow } = await open(path, reader, add)
    for (let n = 0; n < 7; n++) await addRow()
    const walk = async (limit: number, added: number) => {
      const ids: string[] = []
      let left = added
      let cursor: string | null = ''
      do {
        const { data }: Answer = await ask(`order=${order}&limit=${limit}${cursor && `&cursor=${cursor}`}`)
        expect(data.items.length).toBeLessThanOrEqual(limit)
        // A settlement has no ID, so the test identifies it by its date, which increases with each row that the test
        // adds.
        ids.push(...data.items.map(({ id, date }: Record<string, string>) => id ?? date))
        cursor = data.next_cursor
        if (left-- > 0) await addRow()
      } while (cursor !== null)
      return ids
    }
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 1, max: 12 }), fc.boolean(), async (limit, adding) => {
        const before = await walk(100, 0)
        expect(before.length).toBeGreaterThanOrEqual(7)
        const walked = await walk(limit, adding ? ROWS_ADDED : 0)
        // If the list starts with the oldest rows, the rows that were added while the list was read come
        // last.
        expect(walked.slice(0, before.length)).toEqual(before)
        expect(new Set(walked).size).toBe(walked.length)
        if (order === 'newest' || !adding) expect(walked).toHaveLength(before.length)
        const sorted = walked.toSorted()
        if (!path.includes('ledger')) expect(walked).toEqual(order === 'newest' ? sorted.reverse() : sorted)
      }),
      { numRuns: 8 },
    )
  },
)

test.each(lists)(
  'the list %s rejects an unknown sort order, and rejects a cursor that was issued for a different sort order',
  async (path, reader, add) => {
    const { ask, addRow } = await open(path, reader, add)
    for (let n = 0; n < 2; n++) await addRow()
    const { status, error } = await ask('order=desc')
    expect([status, error.message]).toEqual([400, expect.stringMatching(/^bad request: order: /)])
    for (const order of listOrders) {
      const { next_cursor } = (await ask(`limit=1&order=${order}`)).data
      for (const other of listOrders) {
        const answer = await ask(`limit=1&order=${other}&cursor=${next_cursor}`)
        if (other === order) expect(answer.status).toBe(200)
        else
          expect(answer.error).toMatchObject({
            code: 'BAD_REQUEST',
            message: `bad request: cursor: was issued with order=${order}; pass the same order, or restart without a cursor`,
          })
      }
    }
  },
)

test.each(lists)(
  'the response of the list %s contains the total number of matching items only if the request has count=true',
  async (path, reader, add) => {
    const { ask, addRow } = await open(path, reader, add)
    const countOf = async (query = 'count=true&limit=1') => (await ask(query)).data.total
    await addRow()
    const before = await countOf()
    for (let n = 0; n < 3; n++) await addRow()
    expect(await countOf()).toEqual({ count: before.count + 3, is_exact: true })
    expect(await countOf('count=true&limit=1&order=oldest')).toEqual(await countOf())
    if (reader === 'merchant') expect(before.count).toBe(1)
    for (const query of ['limit=1', 'count=false']) expect(await countOf(query)).toBeUndefined()
  },
)
