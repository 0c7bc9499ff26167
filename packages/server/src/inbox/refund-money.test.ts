// Tests how the Owner (the operator) refunds unexpected money, which is money that no open payment expects.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { now } from '../../test/support/make.ts'
import { bankAccount, refundScene } from '../../test/support/refund-scene.ts'
import { sweepDueRefunds } from '../../test/support/sweep-due-refunds.ts'
import { insertUnexpectedMoney } from '../payments/record/unexpected-money.sql.ts'
import { newRecord } from '../payments/record/unexpected-money.ts'
import { createRefund } from '../payments/refund/create-refund.ts'
import { resolveRefund } from '../payments/refund/resolve-refund.ts'
import { newId } from '../values/id.ts'
import { after } from '../values/time.ts'
import { acceptMoney } from './accept-money.ts'

const { db } = await testDatabase()

let scene: ReturnType<typeof refundScene>
const byKey = { byUser: false, unprovenUpTo: null }

beforeEach(async () => {
  scene = refundScene(db)
  await scene.begin()
})

describe('the Owner can refund unexpected money that was credited to the merchant', () => {
  beforeEach(() => scene.receive(120_000n, 'r-1'))

  test("an overpayment's refund debits the excess before it is requested from the provider", async () => {
    scene.respond = async () => {
      expect([await scene.balance(), await scene.book()]).toEqual([
        100_000n,
        { provider: -120_000n, refunds_in_transit: 20_000n },
      ])
      return { type: 'succeeded', id: 'rf-1' }
    }
    expect(await scene.giveBack()).toMatchObject({
      status: 'refunded',
      credited: true,
      refundStatus: 'succeeded',
    })
    expect(scene.asked).toMatchObject([
      { reference: `${scene.payment.paymentCode}-R1`, amount: 20_000n, reason: 'wants it back' },
    ])
    expect(await scene.refunds()).toMatchObject([
      {
        ...{ origin: 'operator', source: 'amount_paid', method: 'provider', status: 'succeeded' },
        ...{ refundedMoneyId: (await scene.first()).id, providerRefundId: 'rf-1' },
      },
    ])
    expect(await scene.book()).toEqual({ provider: -100_000n })
    expect(await scene.current()).toMatchObject({ status: 'paid', amountRefunded: 20_000n })
    expect(await scene.webhooks()).toEqual(['payment.paid', 'payment.refunded'])
    const { rows } = await db.raw('select action, "after" from audit_log where subject_id = ?', [
      (await scene.first()).id,
    ])
    expect(rows).toMatchObject([{ action: 'unexpected_money.refund', after: { amount: '20000' } }])
  })

  test('a rejected refund of an overpayment credits the debited amount back, and the Owner decides again', async () => {
    scene.respond = () => ({ type: 'refused', reason: 'not settled yet', isRetriable: false })
    expect(await scene.giveBack()).toMatchObject({
      ...{ status: 'open', credited: true, refundStatus: 'failed', decidedAt: null, reason: null },
    })
    expect([await scene.balance(), await scene.book()]).toEqual([120_000n, { provider: -120_000n }])
    expect(await scene.webhooks()).toEqual(['payment.paid', 'refund.failed'])
    scene.respond = () => ({ type: 'succeeded', id: 'rf-2' })
    expect(await scene.giveBack()).toMatchObject({ status: 'refunded', refundStatus: 'succeeded' })
    expect(scene.asked.map(({ reference }) => reference)).toEqual([
      `${scene.payment.paymentCode}-R1`,
      `${scene.payment.paymentCode}-R2`,
    ])
    expect(await scene.balance()).toBe(100_000n)
  })

  test('if the outcome of an overpayment refund is unknown, the refund stays debited and is not requested again', async () => {
    scene.respond = () => ({ type: 'unknown', reason: 'timeout' })
    expect(await scene.giveBack()).toMatchObject({ status: 'refunded', refundStatus: 'pending' })
    for (let hour = 0; hour <= 73; hour++) {
      scene.state.at = after(now, hour * 3_600_000 + 10_000)
      await sweepDueRefunds(scene.app)
    }
    expect(scene.asked).toHaveLength(1)
    expect([await scene.balance(), await scene.book()]).toEqual([
      100_000n,
      { provider: -120_000n, refunds_in_transit: 20_000n },
    ])
    const [pending] = await scene.refunds()
    await resolveRefund(scene.app, null, pending?.id ?? '', {
      outcome: 'failed',
      reason: 'not at the provider',
    })
    expect(await scene.first()).toMatchObject({ status: 'open', refundStatus: 'failed' })
    expect(await scene.balance()).toBe(120_000n)
  })

  test('a refund reported by a callback and a status inquiry is debited only once', async () => {
    scene.respond = () => ({ type: 'pending', id: null })
    await scene.giveBack()
    scene.inquire = () => ({ status: { type: 'succeeded', id: 'rf-7' }, returns: [] })
    await scene.report({ id: 'rf-7', reference: `${scene.payment.paymentCode}-R1`, amount: 20_000n })
    scene.state.at = after(now, 6_000)
    await sweepDueRefunds(scene.app)
    await scene.report({ id: 'rf-7', reference: undefined as never, amount: 20_000n })
    expect(await scene.refunds()).toMatchObject([{ status: 'succeeded', providerRefundId: 'rf-7' }])
    expect(await scene.records()).toHaveLength(1)
    expect(await scene.balance()).toBe(100_000n)
  })

  test("the merchant's and the Owner's refunds of a payment together cannot exceed the amount paid", async () => {
    await createRefund(scene.app, { ...scene.key(), mode: 'live' }, newId(), { amount: 110_000 }, byKey)
    await expect(scene.giveBack()).rejects.toMatchObject({
      field: 'amount',
      message: expect.stringContaining('at most 10000 cents'),
    })
    expect(await scene.first()).toMatchObject({ status: 'open', refundId: null })
    await scene.giveBack({ amount: 10_000n })
    await expect(
      createRefund(scene.app, { ...scene.key(), mode: 'live' }, newId(), { amount: 100 }, byKey),
    ).rejects.toThrow('nothing is left to refund')
    expect([await scene.balance(), await scene.book()]).toEqual([0n, {}])
  })

  test('a refund of a fraction of a rupiah is rejected, with and without a bank account', async () => {
    for (const account of [undefined, bankAccount])
      await expect(scene.giveBack({ amount: 150n, bankAccount: account })).rejects.toMatchObject({
        ...{ code: 'BAD_REQUEST', field: 'amount' },
      })
    expect([await scene.refunds(), await scene.balance()]).toEqual([[], 120_000n])
  })

  test('if the provider cannot make the refund, the Owner must enter a bank account and transfer the money', async () => {
    scene.terms = undefined
    await expect(scene.giveBack()).rejects.toMatchObject({ field: 'bank_account' })
    expect(await scene.first()).toMatchObject({ status: 'open' })
    expect(await scene.giveBack({ bankAccount })).toMatchObject({ refundStatus: 'pending' })
    const [manual] = await scene.refunds()
    expect(manual).toMatchObject({ method: 'manual', bankAccount, nextCheckAt: null })
    await resolveRefund(scene.app, null, manual?.id ?? '', { outcome: 'succeeded', bank_reference: 'TRF-1' })
    expect(scene.asked).toEqual([])
    expect([await scene.balance(), await scene.book()]).toEqual([
      100_000n,
      { provider: -120_000n, adjustment: 20_000n },
    ])
    expect(await scene.webhooks()).toEqual(['payment.paid', 'payment.refunded'])
  })

  test('a refund with a bank account is rejected if the provider can make the refund', async () => {
    await expect(scene.giveBack({ bankAccount })).rejects.toMatchObject({ field: 'bank_account' })
    expect(await scene.refunds()).toEqual([])
  })
})

describe('the Owner refunds a second payment that was made for the same order', () => {
  beforeEach(async () => {
    await scene.receive(100_000n, 'r-1')
    await scene.receive(70_000n, 'r-2')
  })

  test('an uncredited second payment is refunded by bank transfer without debiting the merchant', async () => {
    await expect(scene.giveBack()).rejects.toMatchObject({ field: 'bank_account' })
    await scene.giveBack({ bankAccount })
    expect(await scene.refunds()).toMatchObject([{ source: 'uncredited', method: 'manual', amount: 70_000n }])
    expect([await scene.balance(), await scene.book()]).toEqual([
      100_000n,
      { provider: -170_000n, refunds_in_transit: 70_000n },
    ])
    const [manual] = await scene.refunds()
    await resolveRefund(scene.app, null, manual?.id ?? '', { outcome: 'succeeded', bank_reference: 'TRF-1' })
    expect(await scene.book()).toEqual({ provider: -170_000n, adjustment: 70_000n })
    expect(await scene.entries()).toEqual([['credit', 100_000n]])
    expect(await scene.current()).toMatchObject({ amountRefunded: 0n })
    expect(await scene.webhooks()).toEqual(['payment.paid'])
    expect(scene.asked).toEqual([])
  })

  test('if a credited second payment is refunded, the first payment stays credited and refundable', async () => {
    await acceptMoney(scene.app, null, (await scene.first()).id, { reason: 'agreed' })
    await scene.giveBack({ bankAccount, amount: 60_000n })
    expect(await scene.refunds()).toMatchObject([{ source: 'separate_credit' }])
    const [manual] = await scene.refunds()
    await resolveRefund(scene.app, null, manual?.id ?? '', { outcome: 'failed', reason: 'account closed' })
    expect(await scene.first()).toMatchObject({ status: 'open', credited: true })
    await scene.giveBack({ bankAccount })
    await resolveRefund(scene.app, null, (await scene.refunds())[1]?.id ?? '', {
      ...{ outcome: 'succeeded', bank_reference: 'TRF-1' },
    })
    expect(await scene.balance()).toBe(100_000n)
    expect(await scene.current()).toMatchObject({ amountRefunded: 0n })
    expect(
      (await createRefund(scene.app, { ...scene.key(), mode: 'live' }, newId(), {}, byKey)).refund.amount,
    ).toBe(100_000n)
  })

  test("the Owner's decision requests no second refund if the provider reported one of the same amount", async () => {
    await scene.report({ id: 'rf-5', amount: 70_000n, status: 'pending' })
    expect(await scene.records()).toMatchObject([{ status: 'open' }, { kind: 'refund', status: 'open' }])
    await expect(scene.giveBack({ bankAccount })).rejects.toMatchObject({ field: 'bank_account' })
    await scene.giveBack()
    await scene.report({ id: 'rf-5', amount: 70_000n, status: 'pending' })
    scene.state.at = after(now, 60_000)
    await sweepDueRefunds(scene.app)
    expect(scene.asked).toEqual([])
    await scene.report({ id: 'rf-5', amount: 70_000n, status: 'succeeded' })
    expect(await scene.records()).toMatchObject([
      { status: 'refunded', refundStatus: 'succeeded' },
      { kind: 'refund', status: 'dismissed' },
    ])
    expect([await scene.balance(), await scene.book()]).toEqual([100_000n, { provider: -100_000n }])
  })

  test('a reported refund of the same amount waits for a decision during a refund by bank transfer', async () => {
    await scene.giveBack({ bankAccount })
    await scene.report({ id: 'rf-5', amount: 70_000n })
    await scene.report({ id: 'rf-6', amount: 30_000n })
    expect(await scene.records()).toMatchObject([
      { status: 'refunded' },
      { receipt: 'rf-5', status: 'open' },
      { receipt: 'rf-6', status: 'accepted' },
    ])
    expect(await scene.balance()).toBe(70_000n)
  })

  test('a reported refund waits for a decision if an earlier version refunded without storing it', async () => {
    await db.raw("update unexpected_money set status = 'refunded', decided_at = now() where payment_id = ?", [
      scene.payment.id,
    ])
    await scene.report({ id: 'rf-5', amount: 30_000n })
    expect(await scene.records()).toMatchObject([{ status: 'refunded', refundId: null }, { status: 'open' }])
    expect(await scene.balance()).toBe(100_000n)
  })
})

test('if an order received two payments, only the money that paid the payment is refunded through the provider', async () => {
  await scene.receive(120_000n, 'r-1')
  await scene.receive(70_000n, 'r-2')
  const [overpaid, second] = await scene.records()
  expect([overpaid?.kind, second?.kind]).toEqual(['overpaid', 'second_payment'])
  scene.respond = () => ({ type: 'succeeded', id: 'rf-1' })
  await expect(scene.giveBack({}, second?.id)).rejects.toMatchObject({ field: 'bank_account' })
  await expect(scene.giveBack({ bankAccount }, overpaid?.id)).rejects.toMatchObject({ field: 'bank_account' })
  await scene.giveBack({}, overpaid?.id)
  await scene.giveBack({ bankAccount }, second?.id)
  expect(scene.asked).toMatchObject([{ amount: 20_000n }])
  expect(await scene.refunds()).toMatchObject([
    { source: 'amount_paid', method: 'provider', refundedMoneyId: overpaid?.id },
    { source: 'uncredited', method: 'manual', refundedMoneyId: second?.id },
  ])
})

describe('the Owner refunds a partial payment', () => {
  beforeEach(() => scene.receive(40_000n, 'r-1'))

  test('refunding a partial payment makes the payment failed and leaves the balance unchanged', async () => {
    scene.respond = async () => {
      expect(await scene.book()).toEqual({ provider: -40_000n, refunds_in_transit: 40_000n })
      return { type: 'succeeded', id: 'rf-1' }
    }
    await scene.giveBack()
    expect(scene.asked).toMatchObject([{ amount: 40_000n }])
    expect(await scene.current()).toMatchObject({ status: 'failed', failureReason: 'wants it back' })
    expect([await scene.entries(), await scene.book()]).toEqual([[], {}])
    expect(await scene.webhooks()).toEqual(['payment.challenged', 'payment.failed'])
  })

  test('if the refund of a partial payment fails, the Owner can decide again and accept the money', async () => {
    scene.respond = () => ({ type: 'refused', reason: 'too late', isRetriable: false })
    expect(await scene.giveBack()).toMatchObject({ status: 'open', credited: false, refundStatus: 'failed' })
    expect(await scene.book()).toEqual({})
    await acceptMoney(scene.app, null, (await scene.first()).id, { reason: 'agreed' })
    expect(await scene.current()).toMatchObject({ status: 'paid', amountPaid: 40_000n })
    expect(await scene.balance()).toBe(40_000n)
  })
})

test("money for an earlier charge attempt is refunded through that attempt's order", async () => {
  const reference = `${scene.payment.paymentCode}-2`
  await db.raw(
    `insert into payment_references (reference, tenant_id, payment_id, provider_account_id, number, provider, started_at)
     values (?, ?, ?, ?, 2, 'midtrans', now())`,
    [reference, scene.payment.tenantId, scene.payment.id, scene.payment.providerAccountId],
  )
  await db.raw('update payments set attempt = 2 where id = ?', [scene.payment.id])
  await scene.record({
    event: { type: 'paid', amountPaid: 100_000n, paidAt: now, reference, receipt: 'r-1' },
  })
  await scene.receive(100_000n, 'r-2')
  await scene.giveBack()
  expect(scene.asked).toMatchObject([{ amount: 100_000n, order: { reference: scene.payment.paymentCode } }])
  expect(await scene.refunds()).toMatchObject([{ source: 'uncredited', status: 'succeeded' }])
  expect([await scene.balance(), await scene.book()]).toEqual([100_000n, { provider: -100_000n }])
})

test('the service never requests a refund made at the provider, even if its ID arrives later', async () => {
  await scene.receive(100_000n, 'r-1')
  await scene.report({ id: null, amount: 20_000n, status: 'pending' })
  await scene.report({ id: 'rf-3', amount: 20_000n, status: 'pending' })
  scene.state.at = after(now, 60_000)
  await sweepDueRefunds(scene.app)
  expect(scene.asked).toEqual([])
  expect(await scene.refunds()).toMatchObject([{ origin: 'provider', status: 'pending', nextCheckAt: null }])
})

test('refunding money that matches no payment creates no refund, and a bank account is rejected', async () => {
  const { provider, providerAccountId } = scene.payment
  const money = newRecord(
    {
      ...{ kind: 'unknown_reference', reference: newId(), receipt: 'r-1', amount: 70_000n, credited: false },
      ...{ provider, providerAccountId, mode: 'live', paidAt: now },
    },
    now,
  )
  await insertUnexpectedMoney(db, [money])
  await expect(scene.giveBack({ bankAccount }, money.id)).rejects.toMatchObject({ field: 'bank_account' })
  expect(await scene.giveBack({}, money.id)).toMatchObject({ status: 'refunded', refundId: null })
  expect(scene.asked).toEqual([])
})
