// Tests callbacks that report refunds or chargebacks and are authenticated only by a constant token. Anyone who knows
// the token can forge such a callback, so a status inquiry must confirm the report. The provider is a test double.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, noCallbackRules, now } from '../../test/support/make.ts'
import { makeRefund } from '../../test/support/make-refund.ts'
import { staticTokenCallbacks } from '../../test/support/static-token-callbacks.ts'
import { firstPage } from '../db/list-order.ts'
import { listUnexpectedMoney } from '../inbox/unexpected-money-list.sql.ts'
import { findBalance } from '../ledger/ledger.sql.ts'
import { moneyReceivedEvent, type Payment } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { recordOperatorRefund, recordRefundEvent } from '../payments/record/record-refund-event.ts'
import { listRefundsOfPayments } from '../payments/record/refund.sql.ts'
import { refundReferenceOf } from '../payments/record/refund.ts'
import type { CallbackRules } from '../provider-accounts/load-account.ts'
import type { Inquiry, MoneyReturn } from '../providers/provider.ts'

const AMOUNT = 10_000_000n
const HOUR_MS = 3_600_000
const { db } = await testDatabase()
let clock = now
let payment: Payment
let rules: CallbackRules
/**
 * The simulated provider's response to an inquiry: its list of refunds and chargebacks, or a result without a
 * list.
 */
let listed: MoneyReturn[] | 'not_reported' | 'no answer'
let inquired: Inquiry[]
const callbacks = staticTokenCallbacks(db, {
  clock: () => clock,
  rules: () => rules,
  async inquire(inquiry) {
    inquired.push(inquiry)
    if (listed === 'no answer') throw new Error('the provider does not respond')
    if (listed === 'not_reported') return listed
    const { reference } = inquiry
    return {
      ...{ reference, providerPaymentId: 'p-1', returns: listed },
      fact: { type: 'paid', amountPaid: AMOUNT, receipt: 'r-1' },
    }
  },
})
const keyOf = () => ({ tenantId: payment.tenantId, paymentId: payment.id })

beforeEach(async () => {
  clock = now
  rules = { ...noCallbackRules, inquireAbove: AMOUNT - 1n }
  listed = []
  inquired = []
  payment = await insertPendingPayment(db, { tenantId: await makeTenant(db), amount: AMOUNT })
  const paidWith = {
    ...{ amountPaid: AMOUNT, paidAt: now, reference: payment.paymentCode, receipt: 'r-1' },
    providerPaymentId: 'p-1',
  }
  const event = (current: Payment) => moneyReceivedEvent(current, paidWith)
  await db.transaction(tx => recordEvents(tx, [{ ...keyOf(), event, cause: 'callback' }], now))
})

const refund = { kind: 'refund', id: 'rf-1', amount: 1_000_000n, status: 'succeeded' } as const
const chargeback = { ...refund, kind: 'chargeback', id: 'd-1' } as const

/** Receives a callback with one refund or chargeback, and applies the callback `afterMs` milliseconds later. */
async function receive(report: MoneyReturn, afterMs = 60_000): Promise<string> {
  const id = await callbacks.received(payment.providerAccountId, {
    ...{ reference: payment.paymentCode, providerPaymentId: 'p-1', returns: [report] },
    fact: { type: 'nothing', reason: 'a refund' },
  })
  clock = later(clock.getTime() - now.getTime() + afterMs)
  await callbacks.applyOne(id)
  return id
}
const balance = () => findBalance(db, payment.tenantId, 'live')
const refunds = async () =>
  (await listRefundsOfPayments(db, [keyOf()])).map(({ status, amount }) => [status, amount])
const records = async () => {
  const any = { status: null, kind: null, provider: null, mode: null }
  const all = await listUnexpectedMoney(db, { ...any, paymentId: payment.id }, firstPage(), 100)
  return all.map(({ kind, receipt, amount, status }) => [kind, receipt, amount, status])
}
const callbackOf = async (id: string): Promise<{ status: string; reason: string | null }> =>
  (await db.raw('select status, reason from provider_callbacks where id = ?', [id])).rows[0]

/**
 * Records a refund that this service requested. If `status` is `succeeded`, also records that the refund
 * succeeded.
 */
async function ownRefund(status: 'pending' | 'succeeded'): Promise<string> {
  const own = makeRefund({
    ...keyOf(),
    ...{ reference: refundReferenceOf(payment.paymentCode, 1), providerAccountId: payment.providerAccountId },
    ...{ amount: 4_000_000n, requestedAt: now },
  })
  await db.transaction(async tx => {
    await recordOperatorRefund(tx, own, now)
    if (status === 'succeeded')
      await recordRefundEvent(
        tx,
        own,
        { type: 'succeeded', providerRefundId: 'rf-1' },
        { cause: 'inquiry', at: now },
      )
  })
  return own.reference
}

describe('a callback authenticated only by a constant token does not change refunds that this service requested', () => {
  test.each([AMOUNT - 1n, 100_000_000n])(
    'if a callback reports that a succeeded refund failed, nothing is credited unless a status inquiry confirms it (amount limit for unconfirmed callbacks: %i)',
    async inquireAbove => {
      rules = { ...noCallbackRules, inquireAbove }
      const reference = await ownRefund('succeeded')
      const forged = { ...refund, reference, amount: 4_000_000n, status: 'failed' } as const
      listed = [{ ...forged, status: 'succeeded' }]
      expect(await callbackOf(await receive(forged))).toEqual({
        status: 'refused',
        reason: 'status inquiry: the provider does not confirm that the refund is failed',
      })
      for (const lacking of [[], 'not_reported'] as const) {
        listed = lacking === 'not_reported' ? lacking : []
        expect((await callbackOf(await receive(forged))).status).toBe('refused')
      }
      expect([await refunds(), await balance()]).toEqual([[['succeeded', 4_000_000n]], 6_000_000n])
      expect(await records()).toEqual([])
      listed = [forged]
      await receive(forged)
      expect([await refunds(), await balance()]).toEqual([[['failed', 4_000_000n]], AMOUNT])
    },
  )

  test('a report of a smaller refund than requested changes the refund only after a status inquiry', async () => {
    const reference = await ownRefund('pending')
    await receive({ ...refund, reference, amount: 100n })
    expect(inquired).toMatchObject([{ reportedReturns: [{ id: 'rf-1' }] }])
    expect([await refunds(), await records()]).toEqual([[['pending', 4_000_000n]], []])
    listed = [{ ...refund, reference, amount: 4_000_000n }]
    await receive({ ...refund, reference, amount: 100n })
    expect(await refunds()).toEqual([['succeeded', 4_000_000n]])
  })
})

test.each(['succeeded', 'failed'] as const)(
  'if the provider confirms that a refund with our reference but another amount is %s, our refund stays pending and waits for the Owner',
  async status => {
    const reference = await ownRefund('pending')
    const other = { ...refund, reference, amount: 2_000_000n, status }
    listed = [other]
    await receive(other)
    expect([await refunds(), await balance()]).toEqual([[['pending', 4_000_000n]], 6_000_000n])
    const [stored] = await listRefundsOfPayments(db, [keyOf()])
    expect(stored?.failureReason).toBe('the response has a different amount')
  },
)

test('a report without an amount about a requested refund changes it only after a status inquiry', async () => {
  rules = { ...noCallbackRules, inquireAbove: AMOUNT }
  const reference = await ownRefund('pending')
  await receive({ ...refund, reference, amount: null })
  expect(await refunds()).toEqual([['pending', 4_000_000n]])
})

describe('if only a constant token authenticates callbacks, refunds and chargebacks require a confirming status inquiry', () => {
  test('the amount of a reported refund comes from the status inquiry', async () => {
    listed = [refund]
    const id = await receive({ ...refund, amount: 9_000_000n })
    expect(await callbackOf(id)).toEqual({ status: 'applied', reason: null })
    expect([await refunds(), await balance()]).toEqual([[['succeeded', 1_000_000n]], 9_000_000n])
  })

  test.each([refund, chargeback])(
    "a reported refund or chargeback that the provider does not list waits for the operator's decision: %o",
    async report => {
      const id = await receive({ ...report, amount: AMOUNT })
      expect(await callbackOf(id)).toEqual({
        status: 'refused',
        reason: `a ${report.kind} waits for the Owner`,
      })
      expect(await records()).toEqual([[report.kind, report.id, AMOUNT, 'open']])
      expect([await refunds(), await balance()]).toEqual([[], AMOUNT])
      // A report of another refund, rf-2, does not debit the earlier refund or chargeback, which is still
      // unconfirmed.
      listed = [{ ...refund, id: 'rf-2' }]
      await receive({ ...refund, id: 'rf-2' })
      expect(await refunds()).toEqual([['succeeded', 1_000_000n]])
      expect(await records()).toContainEqual([report.kind, report.id, AMOUNT, 'open'])
    },
  )

  test("a refund or chargeback above the confirmation limit causes a status inquiry, whatever the payment's amount", async () => {
    rules = { ...noCallbackRules, inquireAbove: AMOUNT }
    for (const amount of [AMOUNT + 1n, null]) await receive({ ...chargeback, id: `d-${amount}`, amount })
    expect([inquired.length, await balance()]).toEqual([2, AMOUNT])
  })

  test("a callback's chargeback amount is not debited if a confirmed later report has a smaller amount", async () => {
    await receive({ ...chargeback, amount: 2_000_000n })
    listed = [chargeback]
    await receive(chargeback)
    expect(await balance()).toBe(AMOUNT)
    expect(await records()).toEqual([['chargeback', 'd-1', 2_000_000n, 'open']])
  })

  test('a chargeback reported as won is credited only if a status inquiry confirms this', async () => {
    listed = [chargeback]
    await receive(chargeback)
    await receive({ ...chargeback, status: 'failed' })
    listed = []
    await receive({ ...chargeback, status: 'failed' })
    expect(await balance()).toBe(9_000_000n)
    listed = [{ ...chargeback, status: 'failed' }]
    await receive({ ...chargeback, status: 'failed' })
    expect(await balance()).toBe(AMOUNT)
  })

  test('a chargeback that is first reported as won is debited only when the chargeback itself is reported', async () => {
    await receive({ ...chargeback, status: 'failed' })
    expect(await records()).toEqual([])
    listed = [chargeback]
    await receive(chargeback)
    expect(await balance()).toBe(9_000_000n)
  })

  test('a refund that the provider does not list as succeeded is not recorded within the first minute', async () => {
    await expect(receive(refund, 59_999)).rejects.toThrow('does not confirm the returned money yet')
    listed = [{ ...refund, status: 'pending' }]
    await expect(receive(refund, 59_999)).rejects.toThrow('does not confirm the returned money yet')
    expect(await records()).toEqual([])
  })

  test('if the provider does not respond for an hour, the reported refund waits for the operator', async () => {
    listed = 'no answer'
    await expect(receive(refund, HOUR_MS - 1)).rejects.toThrow('did not respond')
    expect(await records()).toEqual([])
    await receive(refund, HOUR_MS)
    expect(await records()).toEqual([['refund', 'rf-1', 1_000_000n, 'open']])
  })
})

describe("a refund or chargeback callback needs no status inquiry if the provider account's settings allow this", () => {
  test.each<[string, Partial<CallbackRules>]>([
    ['the amounts are within the limit', { inquireAbove: AMOUNT }],
    ['confirmation is turned off', { inquireAbove: null }],
    ['the account accepts callbacks only from known addresses', { callbackSources: ['192.0.2.0/24'] }],
  ])(
    'if %s, a refund that a callback reports is debited immediately, without a status inquiry',
    async (_, trusted) => {
      rules = { ...rules, ...trusted }
      await receive(refund)
      expect([inquired, await balance()]).toEqual([[], 9_000_000n])
    },
  )
})
