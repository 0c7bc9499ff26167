// Tests the operator's decisions on partly paid payments. Before the operator accepts one, the service asks the provider
// whether more money has arrived.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { decisionScene } from '../../test/support/decision-scene.ts'
import { insertPendingPayment, later, now } from '../../test/support/make.ts'
import { type Inquiry, type InquiryResult, type MoneyReturn, ProviderError } from '../providers/provider.ts'
import { moneyReceivedEvent, type Payment } from './payment.ts'

const { db } = await testDatabase()
const scene = decisionScene(db)
const { happens, underpaid, answers, resolve, stored, balance, audited } = scene
beforeEach(() => scene.begin())

const said = (reference: string, fact: Extract<InquiryResult, object>['fact']) => ({
  ...{ reference, providerPaymentId: 'p-1', fact },
})
const recordsOf = async ({ id }: Payment) =>
  (
    await db.raw(
      'select amount, status, credited, decided_at, reason from unexpected_money where payment_id = ? order by amount',
      [id],
    )
  ).rows

describe('the operator can accept or reject a partly paid payment', () => {
  test('accepting a partly paid payment credits the amount that the provider confirms', async () => {
    const payment = await underpaid([400n, 'r-1'])
    scene.state.at = later(60_000)
    await resolve(payment, { decision: 'accept' })
    expect(scene.asked).toEqual([`inquire ${payment.paymentCode}`])
    expect(await stored(payment)).toMatchObject({
      ...{ status: 'paid', amountPaid: 400n, paidAt: later(60_000) },
      ...{ paidReference: payment.paymentCode, receipt: 'r-1', unconfirmedSince: null },
    })
    expect(await recordsOf(payment)).toEqual([
      {
        amount: 400n,
        status: 'accepted',
        credited: true,
        decided_at: later(60_000),
        reason: 'agreed by phone',
      },
    ])
    expect(await balance()).toBe(400n)
    const [act] = await audited(payment)
    expect(act.after).toEqual({
      ...{ status: 'paid', amount_paid: '400', decision: 'accept' },
      ...{ reason: 'agreed by phone', provider: 'inquired' },
    })
  })

  test('accepting a partly paid payment credits the full amount if the provider now reports the full amount', async () => {
    const payment = await underpaid([400n, 'r-1'])
    answers({ type: 'paid', amountPaid: 1_000n, receipt: 'r-1' })
    await resolve(payment, { decision: 'accept' })
    expect(await stored(payment)).toMatchObject({ status: 'paid', amountPaid: 1_000n })
    expect(await recordsOf(payment)).toMatchObject([{ amount: 400n, status: 'accepted', credited: true }])
    expect(await balance()).toBe(1_000n)
    expect(await audited(payment)).toMatchObject([
      { before: { status: 'challenged' }, after: { status: 'paid', amount_paid: '1000' } },
    ])
  })

  test('if the provider now reports a larger partial payment, accepting the payment credits the larger amount', async () => {
    const payment = await underpaid([400n, 'r-1'])
    answers({ type: 'paid', amountPaid: 700n, receipt: 'r-1' })
    await resolve(payment, { decision: 'accept' })
    expect(await stored(payment)).toMatchObject({ status: 'paid', amountPaid: 700n })
    expect(await balance()).toBe(700n)
  })

  test.each([
    ['an unpaid order', async ({ reference }: Inquiry) => said(reference, { type: 'pending' })],
    [
      'a smaller amount',
      async ({ reference }: Inquiry) => said(reference, { type: 'paid', amountPaid: 399n, receipt: 'r-1' }),
    ],
    ['no such order', async () => 'absent' as const],
    ['no status', async () => 'not_reported' as const],
  ])('a partly paid payment is not accepted if the provider reports %s', async (_, answer) => {
    const payment = await underpaid([400n, 'r-1'])
    scene.inquire = answer
    await expect(resolve(payment, { decision: 'accept' })).rejects.toThrow(
      'the provider does not confirm that the money was received',
    )
    expect(await stored(payment)).toMatchObject({ status: 'challenged' })
    expect(await balance()).toBe(0n)
    expect(await audited(payment)).toEqual([])
  })

  const refundOf400 = { kind: 'refund', id: 'rf-1', amount: 400n, status: 'succeeded' } as const
  test.each<[string, { amountPaid: bigint; receipt: string }, MoneyReturn]>([
    ['refunded', { amountPaid: 400n, receipt: 'r-1' }, refundOf400],
    [
      'refunded, in an unknown amount',
      { amountPaid: 400n, receipt: 'r-1' },
      { ...refundOf400, amount: null },
    ],
    ['charged back', { amountPaid: 400n, receipt: 'r-1' }, { ...refundOf400, kind: 'chargeback' }],
    ['perhaps refunded instead of other money', { amountPaid: 300n, receipt: 'r-2' }, refundOf400],
  ])('the operator cannot accept a partly paid payment whose money was %s', async (_, paid, returned) => {
    const payment = await underpaid([400n, 'r-1'])
    scene.inquire = async ({ reference }) => ({
      ...said(reference, { type: 'paid', ...paid }),
      returns: [returned],
    })
    await expect(resolve(payment, { decision: 'accept' })).rejects.toThrow(
      'the provider does not confirm that the money was received',
    )
    expect(await balance()).toBe(0n)
  })

  test('a partly paid payment can be accepted if its refunds failed or left the recorded amount', async () => {
    const payment = await underpaid([400n, 'r-1'])
    scene.inquire = async ({ reference }) => ({
      ...said(reference, { type: 'paid', amountPaid: 500n, receipt: 'r-1' }),
      returns: [
        { ...refundOf400, status: 'failed' },
        { ...refundOf400, id: 'rf-2', amount: 100n },
      ],
    })
    await resolve(payment, { decision: 'accept' })
    expect((await stored(payment)).status).toBe('paid')
  })

  test('a partly paid payment is not accepted if the provider reports that the order has failed', async () => {
    const payment = await underpaid([400n, 'r-1'])
    answers({ type: 'failed', reason: 'returned to the payer' })
    await expect(resolve(payment, { decision: 'accept' })).rejects.toThrow('from failed to paid')
    expect(await recordsOf(payment)).toMatchObject([{ status: 'open', credited: false }])
    expect(await balance()).toBe(0n)
  })

  test('a partly paid payment is not accepted if the provider does not respond', async () => {
    const payment = await underpaid([400n, 'r-1'])
    scene.inquire = async () => {
      throw new ProviderError('unavailable', 'could not be reached')
    }
    await expect(resolve(payment, { decision: 'accept' })).rejects.toThrow(
      `the provider did not respond; try again later. To credit payment ${payment.paymentCode} anyway, send without_confirmation: true`,
    )
    expect(await stored(payment)).toMatchObject({ status: 'challenged' })
    expect(await balance()).toBe(0n)
  })

  test('with `without_confirmation`, accepting a partly paid payment credits the received part without a status inquiry', async () => {
    const payment = await underpaid([400n, 'r-1'])
    await resolve(payment, { decision: 'accept', withoutConfirmation: true })
    expect(scene.asked).toEqual([])
    expect(await stored(payment)).toMatchObject({ amountPaid: 400n, unconfirmedSince: null })
    expect(await audited(payment)).toMatchObject([
      { after: { amount_paid: '400', provider: 'not asked', without_confirmation: true } },
    ])
  })

  test('a partial payment is confirmed even if the provider reports another receipt ID', async () => {
    const payment = await underpaid([400n, 'r-1'], [300n, 'r-2'])
    await resolve(payment, { decision: 'accept' })
    expect(await stored(payment)).toMatchObject({ amountPaid: 400n, receipt: 'r-1' })
  })

  test('accepting a partly paid payment without a receipt id credits the received amount', async () => {
    const payment = await underpaid([400n])
    await resolve(payment, { decision: 'accept' })
    expect(await stored(payment)).toMatchObject({ status: 'paid', amountPaid: 400n, receipt: null })
    expect(await balance()).toBe(400n)
  })

  test.each([
    ['first', [700n, 'r-1'], [300n, 'r-2']],
    ['last', [300n, 'r-1'], [700n, 'r-2']],
  ] as const)(
    'accepting a payment with several partial payments credits only the largest of them, even if it was received %s',
    async (_, ...parts) => {
      const payment = await underpaid(...parts.map(([sum, receipt]) => [sum, receipt] as [bigint, string]))
      await resolve(payment, { decision: 'accept' })
      expect(await balance()).toBe(700n)
      expect((await recordsOf(payment)).map(({ status }: { status: string }) => status)).toEqual([
        'open',
        'accepted',
      ])
    },
  )

  test('accepting a payment credits only the largest of several partial payments without receipt ids', async () => {
    const payment = await insertPendingPayment(db, { tenantId: scene.tenantId, amount: 1_000n })
    for (const [amountPaid, reference] of [
      [300n, payment.paymentCode],
      [700n, `${payment.paymentCode}-2`],
    ] as const)
      await happens(payment, moneyReceivedEvent(payment, { amountPaid, paidAt: now, reference }))
    answers({ type: 'paid', amountPaid: 700n })
    await resolve(payment, { decision: 'accept' })
    expect(await stored(payment)).toMatchObject({
      amountPaid: 700n,
      paidReference: `${payment.paymentCode}-2`,
    })
  })

  test('accepting a partly paid payment never credits a refund, even if the refund has the same id as received money', async () => {
    const payment = await insertPendingPayment(db, { tenantId: scene.tenantId, amount: 1_000n })
    const reference = payment.paymentCode
    await scene.app.recordInBatch({
      ...{ tenantId: scene.tenantId, paymentId: payment.id, cause: 'callback', event: () => undefined },
      reportedReturns: {
        reference,
        returns: [{ kind: 'refund', id: 'r-1', amount: 500n, status: 'pending' }],
      },
    })
    const part = { amountPaid: 400n, paidAt: now, reference, receipt: 'r-1' }
    await happens(payment, moneyReceivedEvent(payment, part))
    answers({ type: 'paid', amountPaid: 400n, receipt: 'r-1' })
    await resolve(payment, { decision: 'accept' })
    expect(await stored(payment)).toMatchObject({ amountPaid: 400n })
  })

  test('the operator cannot accept a partly paid payment whose received money was refunded to the payer', async () => {
    const payment = await underpaid([400n, 'r-1'])
    await db.raw("update unexpected_money set status = 'refunded', decided_at = now() where payment_id = ?", [
      payment.id,
    ])
    await expect(resolve(payment, { decision: 'accept' })).rejects.toThrow('was refunded to the payer')
    expect(await stored(payment)).toMatchObject({ status: 'challenged' })
  })

  test('rejecting a partly paid payment leaves the received money for a separate decision', async () => {
    const payment = await underpaid([400n, 'r-1'])
    await resolve(payment, { decision: 'reject' })
    expect(scene.asked).toEqual([])
    expect(await stored(payment)).toMatchObject({ status: 'failed' })
    expect(await recordsOf(payment)).toMatchObject([{ amount: 400n, status: 'open', credited: false }])
    expect(await balance()).toBe(0n)
  })
})
