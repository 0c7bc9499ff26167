// Tests long lists, which are read in pages and can be sorted in two orders. The tests assume that items that are added
// while a list is read are newer than all items that existed at the start.

import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { listOrders } from '../../src/db/list-order.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { insertPendingPayment } from '../support/make.ts'
import { type Answer, http, logIn } from '../support/merchant.ts'
import { usersOf } from '../support/user.ts'

let { app, demo }: TestApp = {} as TestApp
let owner: string
beforeAll(async () => {
  ;({ app, demo } = await testApp())
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
const addCallback: Add = () =>
  app.db.raw(
    `insert into provider_callbacks (id, provider_account_id, provider, headers, body, status)
     values (?, ?, 'midtrans', '{}', 'x', 'ignored')`,
    [newId(), demo.provider_accounts[0]?.id ?? ''],
  )

type Reader = 'merchant' | 'owner'
const lists: [path: string, Reader, Add][] = [
  ['/v1/payments?mode=test', 'merchant', pending],
  ['/v1/payments?mode=test&q=budi', 'merchant', pending],
  ['/v1/account/ledger?mode=test', 'merchant', addPaid],
  ['/v1/webhook-deliveries?mode=test', 'merchant', addPaid],
  ['/v1/provider-callbacks?mode=all', 'owner', addCallback],
]

/**
 * Returns a function that reads the list and one that adds a row to it. A merchant is always a new tenant, so that its
 * list contains only the rows of this test.
 */
async function open(path: string, reader: Reader, add: Add) {
  const { makeUser, startSession } = usersOf({ app, demo })
  const merchant = await makeUser()
  const auth = reader === 'owner' ? owner : `Bearer ${(await startSession(merchant)).access_token}`
  const ask = (query: string): Promise<Answer> => http('GET', `${demo.base_url}${path}&${query}`, { auth })
  return { ask, addRow: () => add(merchant.tenantId) }
}

/** The test adds one row after each page, until it has added this number of rows. */
const ROWS_ADDED = 3

const isSorted = (path: string) => path.startsWith('/v1/payments')
const inBothOrders = lists.flatMap(([path, reader, add]) =>
  listOrders
    .filter(order => order === 'newest' || isSorted(path))
    .map(order => [path, order, reader, add] as const),
)

test.each(inBothOrders)(
  'pages of %s contain each row once, %s first, even while rows are added',
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
        ids.push(...data.items.map((item: { id: string }) => item.id))
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
        // Rows that are added while the list is read are at the end of a list that is sorted oldest first.
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

test.each(lists.filter(([path]) => isSorted(path)))(
  'the list %s rejects an unknown order, and a cursor that was issued with the other order',
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
