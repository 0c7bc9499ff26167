// Tests refunds requested by a merchant. Each test defines how the provider responds.

import { hash } from 'node:crypto'
import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { insertPendingPayment, makeTenant, now } from '../../../test/support/make.ts'
import { recordingApp } from '../../../test/support/recording-app.ts'
import { sweepDueRefunds } from '../../../test/support/sweep-due-refunds.ts'
import { findBalance, listEntriesOfPayment, postTransfers } from '../../ledger/ledger.sql.ts'
import { transfer } from '../../ledger/transfer.ts'
import { midtrans } from '../../providers/midtrans/midtrans.ts'
import type { RefundInquiryResult, Refund as RefundRequest } from '../../providers/provider.ts'
import type { RefundOutcome } from '../../providers/refund.ts'
import type { RefundTerms } from '../../providers/refund-terms.ts'
import { canonicalJson } from '../../values/canonical-json.ts'
import { newId } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import { bodyColumns, type StoredBody, withBody } from '../../webhooks/stored-body.ts'
import { findPaymentInBatch } from '../payment.sql.ts'
import type { Payment } from '../payment.ts'
import { newRefund } from '../record/new-refund.ts'
import { recordEvents } from '../record/record-event.ts'
import { recordOperatorRefund } from '../record/record-refund-event.ts'
import { listRefundsOfPayments } from '../record/refund.sql.ts'
import { createRefund } from './create-refund.ts'
import type { CreateRefundInput } from './refund-input.ts'
import { resolveRefund } from './resolve-refund.ts'

const { db } = await testDatabase()

let app: ReturnType<typeof recordingApp>['app']
let state: ReturnType<typeof recordingApp>['state']
let asked: RefundRequest[]
let respond: () => RefundOutcome | Promise<RefundOutcome>
let inquire: () => RefundInquiryResult
let terms: RefundTerms | undefined
let payment: Payment

beforeEach(async () => {
  ;({ app, state } = recordingApp(db))
  asked = []
  respond = () => ({ type: 'succeeded', id: 'rf-1' })
  inquire = () => ({ status: { type: 'unknown', reason: 'no answer' }, returns: [] })
  terms = { amounts: 'partial' }
  state.provider = {
    get methods() {
      return midtrans.methods.map(method => ({
        ...method,
        channels: method.channels.map(({ refund: _, ...channel }) => ({
          ...channel,
          ...(terms && { refund: terms }),
        })),
      }))
    },
    refunds: {
      refund: async (_account: unknown, request: RefundRequest) => {
        asked.push(request)
        return respond()
      },
      inquireRefund: async () => inquire(),
    },
  } as never
  payment = await paid(1_000n)
})

async function paid(amount: bigint, tenantId?: string): Promise<Payment> {
  const pending = await insertPendingPayment(db, {
    tenantId: tenantId ?? (await makeTenant(db)),
    amount: amount * 100n,
  })
  const event = {
    type: 'paid',
    amountPaid: pending.amount,
    paidAt: now,
    reference: pending.paymentCode,
  } as const
  const [recorded] = await db.transaction(tx =>
    recordEvents(tx, [{ tenantId: pending.tenantId, paymentId: pending.id, event, cause: 'callback' }], now),
  )
  return (recorded as { payment: Payment }).payment
}

const byKey = { byUser: false, unprovenUpTo: null }
const refund = (input: CreateRefundInput = {}, key: string = newId(), of = payment) =>
  createRefund(app, { tenantId: of.tenantId, paymentId: of.id, mode: of.mode }, key, input, byKey)
/**
 * Requests a refund as a user, who must confirm the second factor if the total of all users' refunds exceeds 50,000
 * cents.
 */
const refundByUser = (amount: number) =>
  createRefund(
    app,
    { tenantId: payment.tenantId, paymentId: payment.id, mode: payment.mode },
    newId(),
    { amount },
    { byUser: true, unprovenUpTo: 50_000n },
  )
const refunds = (of = payment) => listRefundsOfPayments(db, [{ tenantId: of.tenantId, paymentId: of.id }])
const balance = (of = payment) => findBalance(db, of.tenantId, 'live')
/** Debits the tenant's balance as a payout would, to leave less money for refunds. */
const payOut = (amount: bigint) =>
  db.transaction(tx =>
    postTransfers(
      tx,
      [
        {
          ...transfer('merchant', 'payouts_in_transit', amount),
          ...{ tenantId: payment.tenantId, mode: 'live', paymentId: null, unexpectedMoneyId: null },
          ...{ referenceId: 'p', reason: 'a payout' },
        },
      ],
      now,
    ),
  )
const entries = async (of = payment) =>
  (await listEntriesOfPayment(db, of.tenantId, of.id)).map(({ entryType, amount }) => [entryType, amount])
const current = async () => (await findPaymentInBatch(db, payment.tenantId, payment.id, null)) as Payment
const webhooks = async (of = payment) => {
  const { rows } = await db.raw<{ rows: StoredBody[] }>(
    `select ${bodyColumns('e')} from webhook_events e where payment_id = ? order by number`,
    [of.id],
  )
  return rows.map(row => JSON.parse(withBody(row).body)).slice(1)
}
const bookOf = async (of = payment): Promise<bigint> => {
  const { rows } = await db.raw(
    `select coalesce(sum(balance), 0)::bigint as sum from book_accounts
     where tenant_id = ? and account_id = '00000000-0000-0000-0000-000000000005'`,
    [of.tenantId],
  )
  return rows[0].sum
}

describe('a merchant can refund a paid payment', () => {
  test("a refund is debited from the merchant's balance before it is requested from the provider", async () => {
    respond = async () => {
      expect(await balance()).toBe(80_000n)
      expect(await bookOf()).toBe(20_000n)
      return { type: 'succeeded', id: 'rf-1' }
    }
    const { refund: made, isReplayed } = await refund({ amount: 20_000, reason: 'one book was missing' })
    expect(isReplayed).toBe(false)
    expect(made).toMatchObject({
      status: 'succeeded',
      method: 'provider',
      origin: 'merchant',
      providerRefundId: 'rf-1',
      succeededAt: now,
    })
    expect(asked).toMatchObject([
      {
        reference: `${payment.paymentCode}-R1`,
        amount: 20_000n,
        reason: 'one book was missing',
        isRepeated: false,
      },
    ])
    expect(await balance()).toBe(80_000n)
    expect(await bookOf()).toBe(0n)
    expect(await entries()).toEqual([
      ['credit', 100_000n],
      ['debit', 20_000n],
    ])
    expect(await current()).toMatchObject({ status: 'paid', amountRefunded: 20_000n, amountReversed: 0n })
    expect(await webhooks()).toMatchObject([
      {
        type: 'payment.refunded',
        data: { status: 'paid', amount_refunded: 20_000 },
        refund: { id: made.id, status: 'succeeded', amount: 20_000 },
        ledger_entry: { entry_type: 'debit', amount: 20_000 },
      },
    ])
  })

  test('a refund request without an amount refunds the whole remaining amount, so that nothing is left to refund', async () => {
    await refund({ amount: 40_000 })
    expect((await refund()).refund.amount).toBe(60_000n)
    await expect(refund()).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'amount' })
    await expect(refund({ amount: 1 })).rejects.toThrow(/nothing is left to refund/)
    expect(await balance()).toBe(0n)
  })

  test('a refund rejected by the provider is credited back once and can be requested again in full', async () => {
    respond = () => ({ type: 'refused', reason: 'not settled yet', isRetriable: false })
    const { refund: failed } = await refund({ amount: 20_000 })
    expect(failed).toMatchObject({ status: 'failed', failureReason: 'not settled yet' })
    expect(await balance()).toBe(100_000n)
    expect(await bookOf()).toBe(0n)
    expect(await entries()).toEqual([
      ['credit', 100_000n],
      ['debit', 20_000n],
      ['credit', 20_000n],
    ])
    expect(await webhooks()).toMatchObject([
      {
        type: 'refund.failed',
        refund: { status: 'failed' },
        ledger_entry: { entry_type: 'credit', amount: 20_000 },
      },
    ])
    respond = () => ({ type: 'succeeded', id: null })
    expect((await refund()).refund.amount).toBe(100_000n)
  })

  test('a refund with an unknown outcome stays debited, and the operator must resolve it after 72 hours', async () => {
    respond = () => ({ type: 'unknown', reason: 'timeout' })
    const { refund: pending } = await refund({ amount: 20_000 })
    expect(pending).toMatchObject({ status: 'pending', failureReason: 'timeout' })
    inquire = () => ({ status: { type: 'absent' }, returns: [] })
    let inquiries = 0
    for (let hour = 0; hour <= 73; hour++) {
      state.at = after(now, hour * 3_600_000 + 10_000)
      if (await sweepDueRefunds(app)) inquiries += 1
    }
    expect(inquiries).toBeGreaterThan(60)
    expect(asked).toHaveLength(1)
    expect(await refunds()).toMatchObject([{ status: 'pending', nextCheckAt: null }])
    expect(await balance()).toBe(80_000n)
    await resolveRefund(app, null, pending.id, {
      outcome: 'failed',
      reason: 'the provider has no such refund',
    })
    expect(await balance()).toBe(100_000n)
    await expect(resolveRefund(app, null, pending.id, { outcome: 'succeeded' })).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    })
  })

  test("a status inquiry determines a refund's outcome if the refund request got no clear response", async () => {
    respond = () => ({ type: 'unknown', reason: 'timeout' })
    await refund({ amount: 20_000 })
    inquire = () => ({ status: { type: 'succeeded', id: 'rf-9' }, returns: [] })
    state.at = after(now, 6_000)
    await sweepDueRefunds(app)
    expect(await refunds()).toMatchObject([{ status: 'succeeded', providerRefundId: 'rf-9' }])
    expect(await webhooks()).toMatchObject([{ type: 'payment.refunded' }])
  })

  test('if the service crashes after recording a refund, a background job sends the refund request to the provider', async () => {
    const request = app.accountOf
    let isCrashing = false
    app.accountOf = async id => {
      if (isCrashing) throw new Error('the process died')
      isCrashing = true
      return request(id)
    }
    await expect(refund({ amount: 20_000 })).rejects.toThrow('the process died')
    app.accountOf = request
    expect(asked).toEqual([])
    expect(await balance()).toBe(80_000n)
    await sweepDueRefunds(app)
    expect(asked).toHaveLength(1)
    expect(await refunds()).toMatchObject([{ status: 'succeeded' }])
  })

  test('a repeated idempotency key returns the existing refund, or a conflict if the request differs', async () => {
    const { refund: first } = await refund({ amount: 20_000 }, 'key-1')
    expect(await refund({ amount: 20_000 }, 'key-1')).toMatchObject({
      refund: { id: first.id },
      isReplayed: true,
    })
    await expect(refund({ amount: 10_000 }, 'key-1')).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
    const other = await paid(1_000n, payment.tenantId)
    await expect(refund({ amount: 20_000 }, 'key-1', other)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    })
    expect(asked).toHaveLength(1)
  })

  test('a repeated refund request with a blank reason instead of none returns the existing refund', async () => {
    const { refund: first } = await refund({ amount: 20_000 }, 'key-1')
    expect(await refund({ amount: 20_000, reason: '' }, 'key-1')).toMatchObject({
      refund: { id: first.id, reason: '' },
      isReplayed: true,
    })
  })

  test('a refund that an earlier release stored with a blank reason can be repeated without a reason', async () => {
    const hashed = canonicalJson({ paymentId: payment.id, amount: 20_000, reason: '' })
    const request = { idempotencyKey: 'key-1', fingerprint: hash('sha256', hashed, 'buffer') }
    const { provider, providerAccountId } = payment
    const terms = { amount: 20_000n, method: 'provider', origin: 'merchant', nextCheckAt: now } as const
    const stored = newRefund(payment, [], { ...terms, ...request, provider, providerAccountId }, now)
    await db.transaction(tx => recordOperatorRefund(tx, stored, now))
    for (const input of [{ amount: 20_000, reason: '' }, { amount: 20_000 }])
      expect(await refund(input, 'key-1')).toMatchObject({ refund: { id: stored.id }, isReplayed: true })
    const other = refund({ amount: 20_000, reason: 'damaged' }, 'key-1')
    await expect(other).rejects.toMatchObject({ code: 'IDEMPOTENCY_CONFLICT' })
  })

  test("a refund exceeding the merchant's balance is rejected and changes nothing", async () => {
    const amount = await balance()
    await payOut(amount - 20_000n)
    await expect(refund({ amount: 20_100 })).rejects.toMatchObject({ code: 'INSUFFICIENT_BALANCE' })
    expect([await balance(), await refunds(), asked]).toEqual([20_000n, [], []])
    await refund({ amount: 20_000 })
    expect(await balance()).toBe(0n)
  })

  test.each([
    ['full', { amounts: 'full' }, /refunds BCA only in full/],
    ['number', { amounts: 'partial', maxRefunds: 0 }, /at most 0 refunds/],
    ['minimum', { amounts: 'partial', minAmount: 1_000_000n }, /at least 1000000 cents/],
    ['window', { amounts: 'partial', windowDays: 1 }, /within 1 days/],
  ] as const)(
    'a refund that breaks a rule of the channel is rejected with an error that names the rule: %s',
    async (_, rule, message) => {
      terms = rule
      state.at = after(now, 3 * 86_400_000)
      await expect(refund({ amount: 20_000 })).rejects.toThrow(message)
      expect(await refunds()).toEqual([])
    },
  )

  test('a refund request without the required second factor changes nothing and is not sent to the provider', async () => {
    const before = [await entries(), await bookOf(), await refunds(), await webhooks()]
    await expect(refundByUser(50_100)).rejects.toMatchObject({ code: 'OTP_REQUIRED' })
    expect([await entries(), await bookOf(), await refunds(), await webhooks()]).toEqual(before)
    expect([asked, await current()]).toEqual([[], payment])
  })

  test('failed refunds do not count toward the total above which a user must confirm the second factor', async () => {
    respond = () => ({ type: 'refused', reason: 'not settled yet', isRetriable: false })
    await refundByUser(50_000)
    respond = () => ({ type: 'unknown', reason: 'timeout' })
    expect((await refundByUser(30_000)).refund.byUser).toBe(true)
    await expect(refundByUser(20_100)).rejects.toMatchObject({ code: 'OTP_REQUIRED' })
    expect((await refundByUser(20_000)).refund.status).toBe('pending')
  })

  test("the database rejects a refund by a merchant's user with the origin `operator`", async () => {
    const { refund: made } = await refundByUser(100)
    const inserted = db.raw(
      `insert into refunds select (jsonb_populate_record(r, '{"origin": "operator"}')).* from refunds r where id = ?`,
      [made.id],
    )
    await expect(inserted).rejects.toMatchObject({ constraint: 'refunds_by_user_are_of_merchant' })
  })

  test('the database rejects a negative limit on refunds by users', async () => {
    const changed = db.raw('update tenants set refund_proof_above = -1 where id = ?', [payment.tenantId])
    await expect(changed).rejects.toMatchObject({ constraint: 'tenants_refund_proof_above_check' })
  })

  test('a refund that the provider cannot make requires a bank account', async () => {
    terms = undefined
    await expect(refund({ amount: 20_000 })).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      field: 'bank_account',
    })
    const bank_account = { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' }
    const { refund: manual } = await refund({ amount: 20_000, bank_account })
    expect(manual).toMatchObject({ status: 'pending', method: 'manual', nextCheckAt: null })
    expect(await balance()).toBe(80_000n)
    await expect(resolveRefund(app, null, manual.id, { outcome: 'succeeded' })).rejects.toMatchObject({
      field: 'bank_reference',
    })
    const resolved = await resolveRefund(app, null, manual.id, {
      outcome: 'succeeded',
      bank_reference: 'TRF-1',
    })
    expect(resolved).toMatchObject({ status: 'succeeded', bankReference: 'TRF-1' })
    expect(asked).toEqual([])
    expect(await bookOf()).toBe(0n)
  })
})

describe("concurrent refunds never exceed the amount paid or the merchant's balance", () => {
  test('[M29] fifty concurrent refunds of one payment never exceed the amount paid', async () => {
    const results = await Promise.allSettled(Array.from({ length: 50 }, () => refund({ amount: 20_000 })))
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
    expect(await balance()).toBe(0n)
    expect((await refunds()).map(({ number }) => number)).toEqual([1, 2, 3, 4, 5])
  })

  test("concurrent refunds of many payments never make the merchant's balance negative", async () => {
    const { tenantId } = payment
    const others = await Promise.all(Array.from({ length: 9 }, () => paid(1_000n, tenantId)))
    // The ten refunds in this test need 1,000,000 cents in total. After the payout, the balance is enough for only half
    // of them.
    await payOut(500_000n)
    const all = [payment, ...others]
    const results = await Promise.allSettled(all.map(each => refund({}, newId(), each)))
    const refused = results.flatMap(each => (each.status === 'rejected' ? [each.reason.code] : []))
    expect(refused).toEqual(Array.from({ length: 5 }, () => 'INSUFFICIENT_BALANCE'))
    expect(await balance()).toBe(0n)
  })

  test('any number of concurrent refund requests with the same idempotency key create one refund', async () => {
    const results = await Promise.all(Array.from({ length: 10 }, () => refund({ amount: 20_000 }, 'same')))
    expect(new Set(results.map(each => each.refund.id)).size).toBe(1)
    expect(asked).toHaveLength(1)
    expect(await balance()).toBe(80_000n)
  })
})
