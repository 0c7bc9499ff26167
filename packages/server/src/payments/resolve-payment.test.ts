// Tests the operator's decisions on challenged payments (in fraud review, or partly paid). Checks what the service
// sends to the provider and what it records.

import { beforeEach, describe, expect, test, vi } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { decisionScene } from '../../test/support/decision-scene.ts'
import { insertPendingPayment, later, makePayment } from '../../test/support/make.ts'
import { listEntriesOfPayment } from '../ledger/ledger.sql.ts'
import { ProviderError } from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { insertPaymentInBatch } from './payment.sql.ts'
import type { Payment } from './payment.ts'

const { db } = await testDatabase()
const scene = decisionScene(db)
const { owner, happens, underpaid, answers, resolve, stored, balance, audited } = scene
beforeEach(() => scene.begin())

async function challenged(): Promise<Payment> {
  const payment = await insertPendingPayment(db, { tenantId: scene.tenantId, amount: 1_000n })
  await happens(payment, { type: 'challenged', reason: 'held by fraud detection' })
  return payment
}
const lastChange = async ({ id }: Payment) =>
  (
    await db.raw(
      'select cause, detail from payment_transitions where payment_id = ? order by number desc limit 1',
      [id],
    )
  ).rows[0]
describe('the operator accepts a payment the provider suspects of fraud', () => {
  test('accepting a challenged payment approves it at the provider and credits the confirmed amount', async () => {
    const payment = await challenged()
    answers({ type: 'paid', amountPaid: 1_000n, receipt: 'r-1' })
    scene.state.at = later(60_000)
    expect(await resolve(payment, { decision: 'accept' })).toEqual(await stored(payment))
    expect(scene.asked).toEqual([`approve ${payment.paymentCode}`, `inquire ${payment.paymentCode}`])
    expect(await stored(payment)).toMatchObject({
      status: 'paid',
      amountPaid: 1_000n,
      unconfirmedSince: null,
    })
    expect(await balance()).toBe(1_000n)
    expect(await audited(payment)).toEqual([
      {
        ...{ actor_user_id: owner.userId, tenant_id: scene.tenantId, action: 'payment.resolve' },
        before: { status: 'challenged' },
        after: {
          ...{ status: 'paid', amount_paid: '1000', decision: 'accept' },
          ...{ reason: 'agreed by phone', provider: 'approve: done' },
        },
      },
    ])
  })

  test('a challenged payment is not accepted if the provider does not confirm the money', async () => {
    const payment = await challenged()
    await expect(resolve(payment, { decision: 'accept' })).rejects.toThrow(
      `the provider does not confirm that the money was received; to credit payment ${payment.paymentCode} anyway`,
    )
    expect(await stored(payment)).toMatchObject({ status: 'challenged' })
    expect(await balance()).toBe(0n)
    expect(await audited(payment)).toEqual([])
  })

  test('if the provider does not respond after the operator accepts a challenged payment, nothing is credited', async () => {
    const payment = await challenged()
    scene.inquire = async () => {
      throw new ProviderError('unknown', 'no answer within 10 s')
    }
    await expect(resolve(payment, { decision: 'accept' })).rejects.toThrow('the provider did not respond')
    expect(await stored(payment)).toMatchObject({ status: 'challenged' })
  })

  test('the operator cannot accept a challenged payment that the provider reports as already closed', async () => {
    const payment = await challenged()
    answers({ type: 'expired' })
    await expect(resolve(payment, { decision: 'accept' })).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      message: expect.stringContaining('from expired to paid'),
    })
    expect(await balance()).toBe(0n)
    expect(await audited(payment)).toEqual([])
  })

  test('with `without_confirmation`, accepting a payment credits it in full and records the reason', async () => {
    const payment = await challenged()
    scene.state.at = later(60_000)
    await resolve(payment, { decision: 'accept', withoutConfirmation: true })
    expect(scene.asked).toEqual([])
    expect(await stored(payment)).toMatchObject({
      ...{ status: 'paid', amountPaid: 1_000n, paidReference: payment.paymentCode },
      ...{ paidAt: later(60_000), unconfirmedSince: later(60_000) },
    })
    expect(await lastChange(payment)).toEqual({
      cause: 'owner',
      detail: "credited without the provider's confirmation: agreed by phone",
    })
    expect(await listEntriesOfPayment(db, scene.tenantId, payment.id)).toMatchObject([
      {
        amount: 1_000n,
        reason: expect.stringContaining("without the provider's confirmation: agreed by phone"),
      },
    ])
    expect(await audited(payment)).toMatchObject([
      {
        before: { status: 'challenged' },
        after: {
          ...{ status: 'paid', amount_paid: '1000', decision: 'accept', reason: 'agreed by phone' },
          ...{ provider: 'not asked', without_confirmation: true },
        },
      },
    ])
  })
})

describe('the operator rejects a payment the provider suspects of fraud', () => {
  test.each([
    [async () => {}, 'deny: done'],
    [
      async () => {
        throw new ProviderError('unavailable', 'could not be reached')
      },
      'deny: no answer',
    ],
  ])(
    'rejecting a challenged payment sends a denial to the provider, and fails the payment whatever the response is',
    async (answer, provider) => {
      scene.settle = answer
      const payment = await challenged()
      await resolve(payment, { decision: 'reject' })
      expect(scene.asked[0]).toBe(`deny ${payment.paymentCode}`)
      expect(await stored(payment)).toMatchObject({ status: 'failed', failureReason: 'agreed by phone' })
      expect(await lastChange(payment)).toEqual({ cause: 'owner', detail: 'agreed by phone' })
      expect(await balance()).toBe(0n)
      const [act] = await audited(payment)
      expect(act).toMatchObject({
        before: { status: 'challenged' },
        after: {
          status: 'failed',
          amount_paid: null,
          decision: 'reject',
          reason: 'agreed by phone',
          provider,
        },
      })
      expect(act.after).not.toHaveProperty('without_confirmation')
    },
  )

  test('if the operator rejects a challenged payment, the payment is also denied at the provider, even with `without_confirmation`', async () => {
    await resolve(await challenged(), { decision: 'reject', withoutConfirmation: true })
    expect(scene.asked).toHaveLength(2)
  })

  test('a challenged payment cannot be rejected if the provider reports that the money was received', async () => {
    const payment = await challenged()
    answers({ type: 'paid', amountPaid: 1_000n, receipt: 'r-1' })
    await expect(resolve(payment, { decision: 'reject' })).rejects.toThrow('from paid to failed')
    expect(await balance()).toBe(1_000n)
  })

  test('rejecting a challenged payment records which user rejected it, even if the provider has already closed the payment', async () => {
    const payment = await challenged()
    answers({ type: 'failed', reason: 'denied at the provider' })
    await resolve(payment, { decision: 'reject' })
    expect(await stored(payment)).toMatchObject({ failureReason: 'denied at the provider' })
    expect(await audited(payment)).toMatchObject([{ after: { status: 'failed', provider: 'deny: done' } }])
  })
})

describe('the operator can decide only once, and only on a challenged payment', () => {
  test('the operator cannot decide on a payment that is unknown or that no provider has accepted', async () => {
    const charging = makePayment({ tenantId: scene.tenantId, status: 'charging', transitionCount: 0 })
    await insertPaymentInBatch(db, { ...charging, methodData: null, providerPaymentId: null })
    for (const id of ['none', newId(), charging.id])
      for (const decision of ['accept', 'reject'] as const)
        await expect(resolve({ id }, { decision })).rejects.toMatchObject({
          code: 'NOT_FOUND',
          message: expect.stringContaining(id),
        })
  })

  test('the operator cannot decide on a payment that is not challenged', async () => {
    const payment = await insertPendingPayment(db, { tenantId: scene.tenantId })
    for (const [decision, status] of [
      ['accept', 'paid'],
      ['reject', 'failed'],
    ] as const)
      await expect(resolve(payment, { decision, withoutConfirmation: true })).rejects.toThrow(
        `from pending to ${status}`,
      )
    expect(scene.asked).toEqual([])
    expect(await stored(payment)).toMatchObject({ status: 'pending' })
  })

  test('only one of two concurrent decisions on a challenged payment succeeds', async () => {
    const payment = await underpaid([400n, 'r-1'])
    const decisions = await Promise.allSettled([
      resolve(payment, { decision: 'accept' }),
      resolve(payment, { decision: 'accept' }),
    ])
    expect(decisions.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected'])
    expect(decisions.find(({ status }) => status === 'rejected')).toMatchObject({
      reason: {
        code: 'INVALID_STATE_TRANSITION',
        message: expect.stringContaining('from paid to paid'),
      },
    })
    expect(await balance()).toBe(400n)
    expect(await audited(payment)).toHaveLength(1)
  })
})

test("the log entry for a request to resolve a payment contains the payment's id", async () => {
  const log = await import('../logging/log.ts')
  const addLogFields = vi.spyOn(log, 'addLogFields')
  const payment = await underpaid([400n, 'r-1'])
  await resolve(payment, { decision: 'reject' })
  expect(addLogFields).toHaveBeenCalledWith({ paymentId: payment.id, paymentCode: payment.paymentCode })
})
