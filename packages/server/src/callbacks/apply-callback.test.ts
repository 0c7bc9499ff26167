import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../test/support/make.ts'
import { newId } from '../id.ts'
import { listEntriesOfPayment } from '../ledger/ledger.sql.ts'
import { createLog } from '../log.ts'
import { findPayment } from '../payments/payment.sql.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record-event.ts'
import { midtrans } from '../providers/midtrans/midtrans.ts'
import { signatureOf } from '../providers/midtrans/signature.ts'
import { type Inquiry, ProviderError, type ProviderWord } from '../providers/provider.ts'
import { callbackApplication } from './apply-callback.ts'
import { insertCallback } from './callback.sql.ts'

const { db } = await testDatabase()
let clock = now
let answer: (inquiry: Inquiry) => Promise<ProviderWord> = async () => 'absent'
const [mine, theirs] = [newId(), newId()]
const app = {
  db,
  clock: () => clock,
  log: createLog('silent'),
  health: {
    watch: <T>(_: unknown, __: unknown, call: () => Promise<T>) => call(),
    isOpen: () => false,
    all: () => [],
    stop: () => {},
  },
  // Each account's server key is its id.
  accountOf: async (id: string) => ({
    provider: { ...midtrans, inquire: (_: unknown, inquiry: Inquiry) => answer(inquiry) },
    account: { id, mode: 'live' as const, credentials: { server_key: id }, baseUrl: null },
  }),
}

const apply = callbackApplication(app)

/** A callback as it was kept when it came in. Returns its id. */
async function kept(
  accountId: string,
  message: { order_id: string; status_code: string; transaction_status: string },
): Promise<string> {
  const id = newId()
  const fields = {
    transaction_id: 't-1',
    gross_amount: '100000.00',
    payment_type: 'bank_transfer',
    ...message,
  }
  const body = Buffer.from(JSON.stringify({ ...fields, signature_key: signatureOf(fields, accountId) }))
  await insertCallback(db, {
    id,
    providerAccountId: accountId,
    provider: 'midtrans',
    path: '',
    headers: {},
    body,
    receivedAt: now,
  })
  return id
}
const statusOf = async (id: string): Promise<string> =>
  (await db.raw('select status from provider_callbacks where id = ?', [id])).rows[0].status

test("another account's callback says nothing about a payment, also when applied together with one of its own", async () => {
  const tenantId = await makeTenant(db)
  const { paymentCode: order_id, id } = await insertPendingPayment(db, { tenantId, providerAccountId: mine })
  const honest = await kept(mine, { order_id, status_code: '201', transaction_status: 'pending' })
  const foreign = await kept(theirs, { order_id, status_code: '200', transaction_status: 'settlement' })
  // While the first is under way the others gather, so these two are recorded together.
  const first = await kept(mine, { order_id: 'unknown', status_code: '201', transaction_status: 'pending' })
  await Promise.all([first, honest, foreign].map(apply))
  expect([await statusOf(honest), await statusOf(foreign)]).toEqual(['ignored', 'unmatched'])
  expect(await findPayment(db, tenantId, id, null)).toMatchObject({ status: 'pending', amountPaid: null })
})

test.each(['pend\0ing', '\ud800'])(
  'a callback with unsigned text that no database holds is settled: %j',
  async text => {
    const { paymentCode: order_id } = await insertPendingPayment(db, { providerAccountId: mine })
    const id = await kept(mine, { order_id, status_code: '201', transaction_status: text })
    await apply(id)
    expect(await statusOf(id)).toBe('ignored')
  },
)

const settlement = { status_code: '200', transaction_status: 'settlement' }
const deny = { status_code: '202', transaction_status: 'deny' }
const happens = ({ tenantId, id: paymentId }: Payment, event: PaymentEvent) =>
  db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now))
const keptOf = async ({ tenantId, id }: Payment) => findPayment(db, tenantId, id, null)
const entriesOf = async ({ tenantId, id }: Payment) =>
  (await listEntriesOfPayment(db, tenantId, id)).map(each => each.entryType)
const pending = async () =>
  insertPendingPayment(db, { tenantId: await makeTenant(db), providerAccountId: mine })
const denied = (reference: string): ProviderWord => ({
  reference,
  providerPaymentId: 't-1',
  fact: { type: 'failed', reason: 'provider reported deny' },
})

test('a signed message of money pays a failed payment whose order the provider no longer knows', async () => {
  const payment = await pending()
  await happens(payment, { type: 'failed', reason: 'provider reported deny' })
  answer = async () => 'absent'
  const id = await kept(mine, { order_id: payment.paymentCode, ...settlement })
  await apply(id)
  expect(await statusOf(id)).toBe('applied')
  expect(await keptOf(payment)).toMatchObject({ status: 'paid', amountPaid: payment.amount })
})

test('an answer that is older than what paid the payment meanwhile takes nothing back', async () => {
  const payment = await pending()
  const reference = payment.paymentCode
  await happens(payment, { type: 'failed', reason: 'provider reported deny' })
  answer = async () => {
    await happens(payment, { type: 'paid', amountPaid: payment.amount, paidAt: now, reference })
    return denied(reference)
  }
  await apply(await kept(mine, { order_id: reference, ...settlement }))
  expect(await keptOf(payment)).toMatchObject({ status: 'paid', reversedAt: null })
  expect(await entriesOf(payment)).toEqual(['credit'])
})

test('what an earlier try paid is taken back by its provider, which is asked about that try', async () => {
  const payment = await insertPendingPayment(db, {
    tenantId: await makeTenant(db),
    providerAccountId: mine,
  })
  const reference = payment.paymentCode
  // The earlier one of two: as if the first account had said that it took nothing.
  await db.raw('update payments set attempt = 2, provider_account_id = ? where id = ?', [theirs, payment.id])
  await apply(await kept(mine, { order_id: reference, ...settlement }))
  const asked: Inquiry[] = []
  answer = async inquiry => {
    asked.push(inquiry)
    return denied(reference)
  }
  const id = await kept(mine, { order_id: reference, ...deny })
  await apply(id)
  expect(asked).toMatchObject([{ reference, providerPaymentId: 't-1', methodData: null }])
  expect(await statusOf(id)).toBe('applied')
  expect(await entriesOf(payment)).toEqual(['credit', 'debit'])
})

test.each(['failed', 'cancelled', 'expired'] as const)(
  'money of a payment that is %s counts, unless its provider says that it took it back',
  async status => {
    const event: PaymentEvent =
      status === 'failed' ? { type: status, reason: 'provider reported deny' } : { type: status }
    const [taken, left, behind] = [await pending(), await pending(), await pending()]
    for (const payment of [taken, left, behind]) await happens(payment, event)
    answer = async ({ reference }) => {
      if (reference === taken.paymentCode) return denied(reference)
      if (reference === behind.paymentCode)
        return { reference, providerPaymentId: 't-1', fact: { type: 'pending' } }
      // Without the receipt that the message has.
      return { reference, providerPaymentId: 't-1', fact: { type: 'paid', amountPaid: left.amount } }
    }
    // The message of money was overtaken by that of its end.
    for (const payment of [taken, left, behind])
      for (const message of [deny, settlement])
        await apply(await kept(mine, { order_id: payment.paymentCode, ...message }))
    expect(await keptOf(taken)).toMatchObject({ status })
    expect(await entriesOf(taken)).toEqual([])
    for (const payment of [left, behind])
      expect(await keptOf(payment)).toMatchObject({ status: 'paid', receipt: 't-1' })
  },
)

test('money of a payment that is over waits an hour for its provider to answer, and is then taken as it was signed', async () => {
  const payment = await pending()
  await happens(payment, { type: 'cancelled' })
  answer = async () => {
    throw new ProviderError('unavailable', 'could not be reached')
  }
  const id = await kept(mine, { order_id: payment.paymentCode, ...settlement })
  clock = later(3_599_999)
  await expect(apply(id)).rejects.toThrow('the provider does not tell')
  expect(await statusOf(id)).toBe('received')
  clock = later(3_600_000)
  await apply(id)
  expect(await keptOf(payment)).toMatchObject({ status: 'paid', amountPaid: payment.amount })
})
