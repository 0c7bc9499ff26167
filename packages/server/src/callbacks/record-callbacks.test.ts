// Tests what is recorded for a batch of callback messages, and each callback's stored outcome.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, now } from '../../test/support/make.ts'
import { findBalance } from '../ledger/ledger.sql.ts'
import { createLog } from '../logging/log.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import type { Payment } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import type { CallbackUpdate, MoneyReturn, ProviderUpdate } from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { insertCallbacks } from './callback.sql.ts'
import type { CallbackMessage, EmptyMessage, InquiryResponse, ReadCallback } from './callback-message.ts'
import { recordCallbacks } from './record-callbacks.ts'

const { db } = await testDatabase()
const here = { clock: () => later(5_000), publicUrl: 'https://pay.example.com', log: createLog('silent') }

let tenantId: string
let payment: Payment
beforeEach(async () => {
  tenantId = await makeTenant(db)
  payment = await insertPendingPayment(db, { tenantId, amount: 1_000n })
})

/** Stores a callback that was received `receivedMs` milliseconds after the current time. */
async function callback(receivedMs = 0, providerAccountId = payment.providerAccountId) {
  const source = { id: newId(), providerAccountId, receivedAt: later(receivedMs) }
  await insertCallbacks(db, [
    { ...source, provider: 'midtrans', path: '', headers: {}, trace: null, body: Buffer.from(source.id) },
  ])
  return source
}
const paid = (amountPaid = 1_000n, receipt = 'r-1'): ProviderUpdate['fact'] => ({
  ...{ type: 'paid', amountPaid, paidAt: now, receipt },
})
const updateOf = (fact: ProviderUpdate['fact'], fields: Partial<CallbackUpdate> = {}): CallbackUpdate => ({
  ...{ reference: payment.paymentCode, providerPaymentId: 'p-1', fact },
  ...fields,
})
const messageOf = (
  callback: CallbackMessage['callback'],
  update: CallbackUpdate,
  fields: Partial<CallbackMessage> = {},
): CallbackMessage => ({
  ...{ callback, provider: 'midtrans', mode: 'live', update, needsConfirmation: false },
  ...fields,
})
type Result = ProviderUpdate['fact'] | 'absent' | 'not_reported'
const answerOf = (result: Result, returns?: MoneyReturn[]): InquiryResponse => {
  if (typeof result === 'string') return { inquired: payment, result }
  const known = { reference: payment.paymentCode, providerPaymentId: 'p-1', fact: result }
  return { inquired: payment, result: { ...known, ...(returns && { returns }) } }
}
const apply = (batch: ReadCallback[], isFinal = false) =>
  db.transaction(tx => recordCallbacks(here, tx, batch, { isFinal }))
/** Stores a callback with one message and applies it. */
async function applied(update: CallbackUpdate, fields: Partial<CallbackMessage> = {}, isFinal = false) {
  const source = await callback()
  const [settled] = await apply([[messageOf(source, update, fields)]], isFinal)
  return { ...settled, callback: await storedOf(source.id) }
}
const storedOf = async (id: string) =>
  (await db.raw('select status, reason, payment_id, processed_at from provider_callbacks where id = ?', [id]))
    .rows[0]
const stored = async (): Promise<Payment> =>
  (await findPaymentInBatch(db, tenantId, payment.id, null)) as Payment
const balance = () => findBalance(db, tenantId, 'live')
const waiting = async (providerAccountId = payment.providerAccountId) =>
  (
    await db.raw(
      'select kind, reference, coalesce(provider_id, receipt) as receipt, amount from unexpected_money where provider_account_id = ? order by id',
      [providerAccountId],
    )
  ).rows
const lastCause = async () =>
  (
    await db.raw('select cause from payment_transitions where payment_id = ? order by number desc limit 1', [
      payment.id,
    ])
  ).rows[0].cause
const happens = (...events: Parameters<typeof recordEvents>[1][number]['event'][]) =>
  db.transaction(tx =>
    recordEvents(
      tx,
      events.map(event => ({ tenantId, paymentId: payment.id, event, cause: 'test' })),
      now,
    ),
  )
const isPaid = { type: 'paid', amountPaid: 1_000n, paidAt: now, receipt: 'r-1' } as const
const pay = () => happens({ ...isPaid, reference: payment.paymentCode })

describe('when a callback is applied, its outcome is stored with the callback', () => {
  test("a callback that marks a payment as paid is stored as applied with the payment's ID", async () => {
    const { applied: updates, neededInquiries, isEarly, callback } = await applied(updateOf(paid()))
    expect(updates).toMatchObject([
      { status: 'applied', reason: null, tenantId, paymentId: payment.id, from: 'pending', to: 'paid' },
    ])
    expect([neededInquiries, isEarly]).toEqual([[], false])
    expect(callback).toEqual({
      ...{ status: 'applied', reason: null, payment_id: payment.id, processed_at: later(5_000) },
    })
    expect(await balance()).toBe(1_000n)
    expect(await lastCause()).toBe('callback')
  })

  test('for a paid payment, a callback with the same receipt counts as repeated, and one with another receipt is refused', async () => {
    await pay()
    expect(await applied(updateOf(paid()))).toMatchObject({
      applied: [{ status: 'repeated', from: 'paid', to: 'paid' }],
      callback: { status: 'repeated', reason: null },
    })
    expect((await applied(updateOf({ type: 'challenged', reason: 'held' }))).callback).toMatchObject({
      status: 'refused',
      reason: expect.stringContaining('paid'),
    })
    expect((await applied(updateOf(paid(1_000n, 'r-2')))).callback).toMatchObject({
      status: 'refused',
      reason: 'the payment is paid already; this money waits for the Owner',
    })
  })

  test.each<[ProviderUpdate['fact'], string]>([
    [{ type: 'nothing', reason: 'a payout' }, 'a payout'],
    [{ type: 'pending' }, 'a report of pending changes nothing'],
  ])('a callback that changes no payment is stored as ignored, with the reason', async (fact, reason) => {
    expect((await applied(updateOf(fact))).callback).toMatchObject({ status: 'ignored', reason })
    expect(await stored()).toEqual(payment)
  })

  test('a callback without updates is stored as ignored or unreadable, and only unreadable ones cause inquiries', async () => {
    const [ignored, unreadable] = [await callback(), await callback()]
    const none = (source: CallbackMessage['callback'], status: EmptyMessage['status']): ReadCallback => [
      { callback: source, status, reason: `it is ${status}`, digest: Buffer.alloc(32) },
    ]
    const settled = await apply([none(ignored, 'ignored'), none(unreadable, 'unreadable')])
    expect(settled.map(each => each.applied)).toMatchObject([
      [{ status: 'ignored', reason: 'it is ignored', tenantId: null, paymentId: null, from: null, to: null }],
      [{ status: 'unreadable' }],
    ])
    const { rows } = await db.raw(
      'select callback_id from unreadable_callbacks where provider_account_id = ?',
      [payment.providerAccountId],
    )
    expect(rows).toEqual([{ callback_id: unreadable.id }])
  })

  test("if a callback changes only one of several orders, this order's outcome is stored", async () => {
    const other = await insertPendingPayment(db, { tenantId, providerAccountId: payment.providerAccountId })
    const source = await callback()
    const [settled] = await apply([
      [
        messageOf(source, updateOf({ type: 'pending' })),
        messageOf(source, updateOf({ type: 'expired' }, { reference: other.paymentCode })),
      ],
    ])
    expect(settled?.applied.map(({ status, paymentId }) => [status, paymentId])).toEqual([
      ['ignored', payment.id],
      ['applied', other.id],
    ])
    expect(await storedOf(source.id)).toMatchObject({ status: 'applied', payment_id: other.id })
  })
})

describe('a callback whose order reference matches no payment changes no payment', () => {
  test('money with an unknown order reference is recorded for the operator', async () => {
    const { applied: updates, callback } = await applied(updateOf(paid(), { reference: 'unknown' }))
    const reason = 'no payment of this account has the reference unknown; its money waits for the Owner'
    expect(updates).toMatchObject([{ status: 'unmatched', reason, tenantId: null, paymentId: null }])
    expect(callback).toMatchObject({ status: 'unmatched', reason })
    expect(await waiting()).toEqual([
      { kind: 'unknown_reference', reference: 'unknown', receipt: 'r-1', amount: 1_000n },
    ])
  })

  test('if a callback that reports no money has an unknown order reference, the stored reason contains the reference', async () => {
    const { callback } = await applied(updateOf({ type: 'expired' }, { reference: 'unknown' }))
    expect(callback).toMatchObject({ reason: 'no payment of this account has the reference unknown' })
    expect(await waiting()).toEqual([])
  })

  test("a callback never changes another provider account's payment, even if it has the same order reference", async () => {
    const source = await callback(0, newId())
    await apply([[messageOf(source, updateOf(paid()))]])
    expect(await storedOf(source.id)).toMatchObject({ status: 'unmatched' })
    expect(await stored()).toEqual(payment)
    expect(await waiting(source.providerAccountId)).toHaveLength(1)
  })
})

describe('a callback without one of our order references is matched by the provider’s ID', () => {
  const unnamed = (fact: ProviderUpdate['fact'], providerPaymentId: string) =>
    updateOf(fact, { reference: null, providerPaymentId })

  test("if a callback has no order reference, its payment is found by the provider's ID", async () => {
    await db.raw('update payments set provider_payment_id = ? where id = ?', ['its-id', payment.id])
    const { callback } = await applied(unnamed(paid(), 'its-id'))
    expect(callback).toMatchObject({ status: 'applied', payment_id: payment.id })
  })

  test("a payment is found by the provider's ID only if no other payment has the same ID", async () => {
    const other = await insertPendingPayment(db, { tenantId, providerAccountId: payment.providerAccountId })
    const twice = async (id: string) => {
      const sources = [await callback(), await callback()]
      await apply(
        sources.map(source => [messageOf(source, unnamed(paid(), id))]),
        true,
      )
      return Promise.all(sources.map(async source => (await storedOf(source.id)).status))
    }
    await db.raw('update payments set provider_payment_id = ? where id = ?', ['its-id', payment.id])
    expect((await twice('its-id')).sort()).toEqual(['applied', 'repeated'])
    await db.raw("update payments set provider_payment_id = 'shared' where id in (?, ?)", [
      payment.id,
      other.id,
    ])
    expect(await twice('shared')).toEqual(['unmatched', 'unmatched'])
  })

  test('a callback without an order reference is retried for a minute, until its provider payment ID is known', async () => {
    const [early, late] = [await callback(-54_999), await callback(-55_000)]
    const settled = await apply([
      [messageOf(early, unnamed(paid(), 'none-1'))],
      [messageOf(late, unnamed(paid(), 'none-2'))],
    ])
    expect(settled.map(({ isEarly }) => isEarly)).toEqual([true, false])
    expect(settled[0]?.applied).toMatchObject([{ status: 'unmatched', reason: null }])
    expect(await storedOf(early.id)).toMatchObject({ status: 'received' })
    expect(await storedOf(late.id)).toMatchObject({
      status: 'unmatched',
      reason: "no payment of this account has the provider's id none-2; its money waits for the Owner",
    })
    expect(await waiting()).toEqual([
      { kind: 'unknown_reference', reference: '', receipt: 'r-1', amount: 1_000n },
    ])
  })

  test("if one message's payment is not found yet, all messages of the callback are applied later", async () => {
    const source = await callback()
    const [settled] = await apply([
      [messageOf(source, updateOf({ type: 'pending' })), messageOf(source, unnamed(paid(), 'none'))],
    ])
    expect(settled?.isEarly).toBe(true)
    expect(await storedOf(source.id)).toMatchObject({ status: 'received' })
  })

  test('with `isFinal`, a callback that matches no payment is not retried, and its outcome is stored immediately', async () => {
    const { callback, isEarly } = await applied(unnamed({ type: 'expired' }, ''), {}, true)
    expect(isEarly).toBe(false)
    expect(callback).toMatchObject({ reason: "no payment of this account has the provider's id (none)" })
  })

  test("without a transfer ID, the provider's payment ID identifies reported money", async () => {
    const { receipt: _, ...fact } = isPaid
    await applied(unnamed(fact, 'p-7'), {}, true)
    await applied(unnamed({ ...fact, receipt: '' }, 'p-8'), {}, true)
    const returns: MoneyReturn[] = [{ kind: 'refund', id: null, amount: 5n, status: 'succeeded' }]
    await applied({ ...unnamed({ type: 'nothing', reason: 'refunded' }, 'p-9'), returns }, {}, true)
    expect(await waiting()).toMatchObject([{ receipt: 'p-7' }, { receipt: 'p-8' }, { receipt: 'p-9' }])
  })
})

describe("if a callback does not prove its status, a status inquiry's result decides what changes", () => {
  test('while one callback waits for a status inquiry, the other callbacks in its batch are applied', async () => {
    const other = await insertPendingPayment(db, { tenantId, providerAccountId: payment.providerAccountId })
    const [open, closed] = [await callback(), await callback()]
    const settled = await apply([
      [messageOf(open, updateOf({ type: 'unproven', reason: 'not signed' }))],
      [messageOf(closed, updateOf(paid(10_000_000n), { reference: other.paymentCode }))],
    ])
    expect(settled.map(({ neededInquiries }) => neededInquiries)).toMatchObject([
      [
        {
          message: { callback: open },
          update: { reference: payment.paymentCode },
          payment: { id: payment.id },
        },
      ],
      [],
    ])
    expect(settled.map(each => each.applied.length)).toEqual([1, 1])
    expect(await storedOf(open.id)).toMatchObject({ status: 'received' })
    expect(await storedOf(closed.id)).toMatchObject({ status: 'applied', payment_id: other.id })
  })

  test('if the status in a callback is unsigned, the timeline shows the status inquiry as the cause', async () => {
    const response = answerOf({ type: 'failed', reason: 'deny' })
    await applied(updateOf({ type: 'unproven', reason: 'not signed' }), { response })
    expect(await stored()).toMatchObject({ status: 'failed', failureReason: 'deny' })
    expect(await lastCause()).toBe('inquiry')
  })

  test('a callback with an unsigned status changes the payment to the status reported by a status inquiry', async () => {
    const unproven = updateOf({ type: 'unproven', reason: 'not signed' })
    await applied(unproven, { response: answerOf({ type: 'expired' }) })
    expect(await stored()).toMatchObject({ status: 'expired' })
    await applied(unproven, { response: answerOf(paid()) })
    expect(await balance()).toBe(1_000n)
  })

  test("if an inquiry for an unsigned callback changes nothing, the inquiry's result is stored as the reason", async () => {
    const unproven = updateOf({ type: 'unproven', reason: 'not signed' })
    expect((await applied(unproven, { response: answerOf({ type: 'pending' }) })).callback).toMatchObject({
      status: 'ignored',
      reason: 'status inquiry: a report of pending changes nothing',
    })
    expect((await applied(unproven, { response: answerOf('absent') })).callback).toMatchObject({
      reason: 'status inquiry: not signed',
    })
  })

  test.each(['absent', 'not_reported'] as const)(
    'a signed callback credits its payment even if the status inquiry about it returns %s',
    async result => {
      await applied(updateOf(paid()), { response: answerOf(result) })
      expect(await stored()).toMatchObject({ status: 'paid' })
    },
  )

  test.each<[string, ProviderUpdate['fact'], Payment['status'], bigint]>([
    ['pending', { type: 'pending' }, 'paid', 1_000n],
    ['paid with another receipt', { type: 'paid', amountPaid: 400n, receipt: 'r-9' }, 'paid', 1_000n],
    ['failed', { type: 'failed', reason: 'deny' }, 'failed', 0n],
  ])('a signed amount is credited unless an inquiry denies it: %s', async (_, fact, status, credited) => {
    await applied(updateOf(paid()), { response: answerOf(fact) })
    expect(await stored()).toMatchObject({ status })
    expect(await balance()).toBe(credited)
  })

  test('a callback about a failed payment reverses the credit only if the payment is unchanged since the inquiry', async () => {
    await pay()
    const inquired = await stored()
    const response = { ...answerOf({ type: 'failed', reason: 'deny' }), inquired }
    await applied(updateOf({ type: 'failed', reason: 'deny' }), { response })
    expect(await balance()).toBe(0n)
  })
})

describe('a callback that must be confirmed credits only what a status inquiry confirms', () => {
  const confirm = (response?: InquiryResponse) =>
    applied(updateOf(paid()), { needsConfirmation: true, ...(response && { response }) })

  test('a callback that must be confirmed credits nothing until a status inquiry confirms it', async () => {
    expect((await confirm()).neededInquiries).toHaveLength(1)
    expect(await stored()).toEqual(payment)
  })

  test('a confirmed callback credits the amount reported by the status inquiry, not the amount in the callback', async () => {
    await confirm(answerOf({ type: 'paid', amountPaid: 2_000n, receipt: 'r-5' }))
    expect(await stored()).toMatchObject({ status: 'paid', amountPaid: 2_000n, receipt: 'r-5' })
  })

  test('a callback that needs confirmation credits nothing if the provider reports the order as unpaid or unknown', async () => {
    expect((await confirm(answerOf('absent'))).callback).toMatchObject({
      status: 'ignored',
      reason: 'status inquiry: the provider has no such payment',
    })
    const methodData = { type: 'virtual_account', bank: 'BCA', va_number: '9' } as const
    expect((await confirm(answerOf({ type: 'pending', methodData }))).callback).toMatchObject({
      status: 'ignored',
      reason: 'status inquiry: a report of pending changes nothing',
    })
    expect(await stored()).toEqual(payment)
  })

  test('if the provider cannot confirm a callback, the payment becomes challenged and the operator reviews it', async () => {
    await confirm(answerOf('not_reported'))
    expect(await stored()).toMatchObject({
      status: 'challenged',
      failureReason: 'a callback reports payment, and the provider could not confirm it',
    })
    expect(await balance()).toBe(0n)
  })
})

describe('callbacks can report refunds and chargebacks', () => {
  const refund = (id: string): MoneyReturn => ({ kind: 'refund', id, amount: 400n, status: 'pending' })

  test('a refund reported by both a callback and a status inquiry is debited once', async () => {
    await pay()
    const update = updateOf({ type: 'nothing', reason: 'a refund' }, { returns: [refund('f-1')] })
    const { callback } = await applied(update, {
      response: answerOf({ type: 'nothing', reason: 'a refund' }, [refund('f-1'), refund('f-2')]),
    })
    expect(callback).toMatchObject({ status: 'applied' })
    expect(await balance()).toBe(200n)
  })

  test('refunds and chargebacks with an unknown order reference are recorded for the operator to decide on', async () => {
    const update = updateOf(
      { type: 'nothing', reason: 'a refund' },
      { reference: 'unknown', returns: [refund('f-1')] },
    )
    expect((await applied(update)).callback).toMatchObject({
      reason: 'no payment of this account has the reference unknown; its money waits for the Owner',
    })
    expect(await waiting()).toMatchObject([{ kind: 'refund', receipt: 'f-1' }])
  })
})
