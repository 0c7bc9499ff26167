import pg from 'pg'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { WaitingListCursor } from '../../src/inbox/waiting-list-cursor.ts'
import { listChallengedPayments } from '../../src/inbox/waiting-payment.sql.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { inboxBench } from '../support/inbox.ts'
import { insertPendingPayment, later, makeTenant } from '../support/make.ts'
import { sentWhile } from '../support/sent-statements.ts'

const { app, databaseUrl, managers, owner, shop, created, simulated, paid } = await inboxBench()

type Challenged = Record<string, unknown> & { payment_id: string; updated_at: string }
const page = async (query: string) => (await owner('GET', `/v1/challenged-payments?mode=all&${query}`)).data
const listed = async (): Promise<Challenged[]> => (await page('limit=100')).items
const place = async (id: string) => (await listed()).find(each => each.payment_id === id)

/**
 * Creates a new tenant with a payment that the provider has held for review since the given time. Returns the payment's
 * ID.
 */
async function held(name: string, at: Date): Promise<string> {
  const { tenantId, id } = await insertPendingPayment(app.db, {
    tenantId: await makeTenant(app.db, { name }),
  })
  const event = { type: 'challenged', reason: 'held by fraud detection' } as const
  await app.db.transaction(tx =>
    recordEvents(tx, [{ tenantId, paymentId: id, event, cause: 'callback' }], at),
  )
  return id
}

let made: string[]
beforeAll(async () => {
  // Creates four challenged payments to test the order of the list. Two of them were challenged at the same time. The
  // other two were challenged in a different order than they were created.
  const days = [3, 1, 1, 2]
  made = await Promise.all(days.map((day, n) => held(`Toko ${n}`, later(day * 86_400_000))))
})

test('the list of challenged payments (held for review) shows the tenant, provider, amount, reason and customer', async () => {
  const suspected = await created()
  await simulated(suspected, 'challenged')
  expect(await place(suspected.id)).toMatchObject({
    tenant_name: 'Demonstration client',
    payment_code: suspected.payment_code,
    provider: 'midtrans',
    method_type: 'virtual_account',
    mode: 'test',
    amount: 10_000_000,
    amount_received: null,
    failure_reason: 'held by fraud detection',
    customer_name: 'Budi Santoso',
    customer_phone: '',
  })
  expect(await place(made[0] as string)).toMatchObject({ tenant_name: 'Toko 0', mode: 'live' })
})

test('money for an underpaid payment is listed as unexpected money, not as a challenged payment', async () => {
  const held = await created()
  await simulated(held, 'challenged')
  expect(await place(held.id)).toBeDefined()
  await simulated(held, 'paid', { amount: 6_000_000 })
  for (const payment of [held, await paid(6_000_000)]) {
    expect((await shop.get(payment.id)).data.status).toBe('challenged')
    expect(await place(payment.id)).toBeUndefined()
    const { items } = (await owner('GET', `/v1/unexpected-money?status=open&payment_id=${payment.id}`)).data
    expect(items).toMatchObject([{ kind: 'underpaid', amount: 6_000_000 }])
  }
})

test('a challenged payment leaves the list once the payment is decided, paid, or cancelled', async () => {
  const decided = await created()
  await simulated(decided, 'challenged')
  const released = await created()
  await simulated(released, 'challenged')
  const cancelled = await created()
  await simulated(cancelled, 'challenged')
  const pending = await created()
  expect(await place(pending.id)).toBeUndefined()
  for (const { id } of [decided, released, cancelled]) expect(await place(id)).toBeDefined()
  await owner('POST', `/v1/payments/${decided.id}/resolve`, { decision: 'reject', reason: 'sent back' })
  await simulated(released, 'paid')
  await shop.cancel(cancelled.id)
  for (const { id } of [decided, released, cancelled]) expect(await place(id)).toBeUndefined()
})

test('the list of challenged payments (held for review) starts with the payment that has waited longest', async () => {
  const all = await listed()
  const times = all.map(each => each.updated_at)
  expect(times).toEqual(times.toSorted())
  const paged: string[] = []
  let cursor = ''
  do {
    const { items, next_cursor } = await page(`limit=1${cursor}`)
    paged.push(...items.map((each: Challenged) => each.payment_id))
    cursor = next_cursor ? `&cursor=${next_cursor}` : ''
  } while (cursor !== '')
  expect(paged).toEqual(all.map(each => each.payment_id))
  expect(paged).toEqual(expect.arrayContaining(made))
})

test('the list of challenged payments (held for review) rejects an invalid cursor', async () => {
  for (const none of ['none', Buffer.from('a b c').toString('base64url')])
    expect((await owner('GET', `/v1/challenged-payments?cursor=${none}`)).status).toBe(400)
})

test('only the Owner can read the list of challenged payments (held for review)', async () => {
  for (const call of [managers.partner, managers.client])
    expect((await call('GET', '/v1/challenged-payments')).status).toBe(403)
})

test('the database reads every page of the list of challenged payments in order from an index', async () => {
  const connection = new pg.Client({ connectionString: databaseUrl })
  await connection.connect()
  onTestFinished(() => connection.end())
  // Makes the planner use indexes even though the table is small, as it would for a large table.
  await connection.query('set enable_seqscan = off')
  const planFrom = async (
    from: WaitingListCursor | undefined,
    mode: 'live' | null = null,
  ): Promise<string> => {
    const [sent] = await sentWhile(() => listChallengedPayments(app.db, mode, from, 21))
    const { rows } = await connection.query(`explain ${sent?.text}`, sent?.values)
    return rows.map(row => row['QUERY PLAN']).join('\n')
  }
  const [first] = await listChallengedPayments(app.db, null, undefined, 1)
  const { updatedAt: since, tenantId, id } = first as NonNullable<typeof first>
  const plans = [
    await planFrom(undefined),
    await planFrom({ since, tenantId, id }),
    await planFrom(undefined, 'live'),
  ]
  for (const plan of plans) {
    expect(plan).toContain('Index Scan using payments_challenged on payments p')
    expect(plan).not.toMatch(/Sort|Seq Scan|Bitmap/)
  }
  expect(plans[1]).toContain('Index Cond: (ROW(updated_at, tenant_id, id) >')
})
