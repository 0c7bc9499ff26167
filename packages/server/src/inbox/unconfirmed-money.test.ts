// Tests records of money that a provider has not confirmed, for payments that have already ended. The money is credited
// at most once, by the Owner (the operator) or when the provider confirms it.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { later, now } from '../../test/support/make.ts'
import { refundScene } from '../../test/support/refund-scene.ts'
import type { PaymentEvent } from '../payments/payment.ts'
import { acceptMoney } from './accept-money.ts'
import { dismissMoney } from './dismiss-money.ts'

const { db } = await testDatabase()

let scene: ReturnType<typeof refundScene>
beforeEach(async () => {
  scene = refundScene(db)
  await scene.begin()
})

const end = (event: PaymentEvent) => scene.record({ event })
const claim = (amountPaid = 100_000n, receipt: string | null = 'r-1') =>
  scene.record({
    event: {
      type: 'challenged',
      reason: 'not confirmed',
      claim: {
        ...{
          amountPaid,
          paidAt: later(-60_000),
          reference: scene.payment.paymentCode,
          providerPaymentId: 'p',
        },
        ...(receipt !== null && { receipt }),
      },
    },
  })
/** Simulates a status inquiry that reports received money without a receipt ID. */
const confirmWithoutReceipt = (amountPaid: bigint) =>
  scene.record({
    event: { type: 'paid', amountPaid, paidAt: now, reference: scene.payment.paymentCode },
  })
const state = async () => ({
  status: (await scene.current()).status,
  balance: await scene.balance(),
  records: (await scene.records()).map(({ kind, status, amount, receipt, credited }) => [
    ...[kind, status, amount, receipt, credited],
  ]),
})
const open = ['unconfirmed', 'open', 100_000n, 'r-1', false]
const closed = ['unconfirmed', 'dismissed', 100_000n, 'r-1', false]
const late = ['late', 'open', 100_000n, 'r-1', true]
const idOf = async (kind: string, index = 0) =>
  (await scene.records()).filter(record => record.kind === kind)[index]?.id as string
const accept = async (kind = 'unconfirmed', index = 0) =>
  acceptMoney(scene.app, null, await idOf(kind, index), { reason: 'found at the provider' })
const dismiss = async () => dismissMoney(scene.app, null, await idOf('unconfirmed'), 'not at the provider')

describe.each([
  ['expired', { type: 'expired' }],
  ['cancelled', { type: 'cancelled' }],
  ['failed', { type: 'failed', reason: 'deny' }],
] as const)(
  'if a payment is %s, unconfirmed money for it is credited only after the Owner accepts it or the provider confirms it',
  (status, event) => {
    beforeEach(() => end(event))

    test('unconfirmed money waits for the Owner and is not credited', async () => {
      expect(await claim()).toMatchObject([{ kind: 'set_aside' }])
      expect(await state()).toEqual({ status, balance: 0n, records: [open] })
      expect(await scene.first()).toMatchObject({
        paidAt: later(-60_000),
        round: 1,
        expectedAmount: 100_000n,
      })
    })

    test('if the provider confirms the money later, it is credited once, and its record is closed', async () => {
      await claim()
      await scene.receive(100_000n, 'r-1')
      await claim()
      await scene.receive(100_000n, 'r-1')
      expect(await state()).toEqual({ status: 'paid', balance: 100_000n, records: [closed, late] })
      await expect(accept()).rejects.toThrow('already dismissed')
      expect(await scene.balance()).toBe(100_000n)
    })

    test('unconfirmed money that a status inquiry confirms without a receipt ID is credited once', async () => {
      await claim()
      await confirmWithoutReceipt(100_000n)
      expect(await state()).toMatchObject({
        status: 'paid',
        balance: 100_000n,
        records: [closed, ['late', 'open', 100_000n, '', true]],
      })
    })

    test('unconfirmed money that the Owner accepts and the provider later confirms is credited once', async () => {
      await claim()
      await accept()
      const accepted = { status: 'paid', balance: 100_000n }
      expect(await state()).toMatchObject(accepted)
      await scene.receive(100_000n, 'r-1')
      await confirmWithoutReceipt(100_000n)
      await claim()
      expect(await state()).toEqual({
        ...accepted,
        records: [['unconfirmed', 'accepted', 100_000n, 'r-1', true]],
      })
    })

    test('dismissed unconfirmed money is credited if the provider later confirms it, but not after a repeated report', async () => {
      await claim()
      await dismiss()
      await claim()
      expect(await state()).toEqual({ status, balance: 0n, records: [closed] })
      await scene.receive(100_000n, 'r-1')
      expect(await state()).toEqual({ status: 'paid', balance: 100_000n, records: [closed, late] })
    })
  },
)

describe('unconfirmed money for a payment that is already paid is not credited without a decision by the Owner', () => {
  beforeEach(() => scene.receive(100_000n, 'r-0'))

  test('for a paid payment, an unconfirmed report about the same money creates no record of unexpected money', async () => {
    await claim(100_000n, 'r-0')
    await claim(100_000n, null)
    expect(await state()).toEqual({ status: 'paid', balance: 100_000n, records: [] })
  })

  test('unconfirmed money for a paid payment is credited additionally only if the Owner accepts it', async () => {
    await claim()
    expect(await state()).toEqual({ status: 'paid', balance: 100_000n, records: [open] })
    await accept()
    await scene.receive(100_000n, 'r-1')
    expect(await state()).toMatchObject({
      balance: 200_000n,
      records: [['unconfirmed', 'accepted', 100_000n, 'r-1', true]],
    })
  })

  test('confirmation of unconfirmed money as a second payment leaves only one record for the Owner', async () => {
    await claim()
    await scene.receive(100_000n, 'r-1')
    expect(await state()).toEqual({
      ...{ status: 'paid', balance: 100_000n },
      records: [closed, ['second_payment', 'open', 100_000n, 'r-1', false]],
    })
    await accept('second_payment')
    expect(await scene.balance()).toBe(200_000n)
  })

  test('a report about the paying money does not close the record of other unconfirmed money', async () => {
    await claim()
    await end({ type: 'reversed', reason: 'deny', unexpectedMoneyId: '019a0000-0000-7000-8000-000000000001' })
    await confirmWithoutReceipt(100_000n)
    expect((await scene.records()).find(({ kind }) => kind === 'unconfirmed')).toMatchObject({
      status: 'open',
    })
  })

  test('if a paid receipt is reported with a larger unconfirmed amount, the difference is recorded', async () => {
    await claim(130_000n, 'r-0')
    expect(await state()).toMatchObject({ records: [['unconfirmed', 'open', 30_000n, 'r-0', false]] })
    await accept()
    expect(await scene.balance()).toBe(130_000n)
    await scene.receive(130_000n, 'r-0')
    expect(await state()).toMatchObject({
      balance: 130_000n,
      records: [['unconfirmed', 'accepted', 30_000n, 'r-0', true]],
    })
    await end({ type: 'reversed', reason: 'deny', unexpectedMoneyId: '019a0000-0000-7000-8000-000000000002' })
    expect(await scene.balance()).toBe(0n)
  })
})

test('a reversal debits accepted unconfirmed money exactly once', async () => {
  await end({ type: 'expired' })
  await claim()
  await accept()
  await end({ type: 'reversed', reason: 'deny', unexpectedMoneyId: '019a0000-0000-7000-8000-000000000003' })
  expect(await scene.balance()).toBe(0n)
})

test('a larger unconfirmed amount for the same receipt increases the record, unless the operator dismissed it', async () => {
  await end({ type: 'expired' })
  await claim(40_000n)
  await claim()
  await claim(50_000n)
  expect(await state()).toMatchObject({ records: [open] })
  await dismiss()
  await claim(120_000n)
  expect(await state()).toMatchObject({ records: [closed, ['unconfirmed', 'open', 120_000n, 'r-1', false]] })
  await accept('unconfirmed', 1)
  await scene.receive(120_000n, 'r-1')
  expect(await scene.balance()).toBe(120_000n)
})

test('a reversal of a receipt closes its open record of unconfirmed money', async () => {
  await scene.receive(100_000n, 'r-1')
  await claim(130_000n)
  await end({ type: 'reversed', reason: 'deny', unexpectedMoneyId: '019a0000-0000-7000-8000-000000000004' })
  expect((await scene.records()).find(({ kind }) => kind === 'unconfirmed')).toMatchObject({
    ...{ status: 'dismissed', credited: false, reason: 'the provider took it back' },
  })
})

test('an unconfirmed report about a recorded partial payment creates no second record', async () => {
  await scene.receive(40_000n, 'r-1')
  await end({ type: 'expired' })
  expect(await claim()).toMatchObject([
    { kind: 'refused', reason: 'a part of this receipt is already recorded as unexpected money' },
  ])
  expect(await state()).toMatchObject({ records: [['underpaid', 'open', 40_000n, 'r-1', false]] })
})

test('unconfirmed money for an open payment makes it challenged and creates no record', async () => {
  await claim()
  expect(await state()).toEqual({ status: 'challenged', balance: 0n, records: [] })
})

test('money that the provider has not confirmed can be refunded only after the Owner has accepted it', async () => {
  await end({ type: 'expired' })
  await claim()
  await expect(scene.giveBack()).rejects.toThrow('the provider has not confirmed this money')
  await expect(
    db.raw("update unexpected_money set status = 'refunded', decided_at = now(), reason = 'x' where id = ?", [
      await idOf('unconfirmed'),
    ]),
  ).rejects.toThrow('unexpected_money_refunded_was_confirmed')
  await accept()
  await scene.giveBack()
  expect(await scene.balance()).toBe(0n)
})

test('credited money cannot be dismissed', async () => {
  await end({ type: 'expired' })
  await claim()
  await accept()
  await expect(dismiss()).rejects.toThrow('already accepted')
  await scene.begin()
  await scene.receive(40_000n, 'r-1')
  await expect(
    db.raw(
      "update unexpected_money set status = 'dismissed', decided_at = now(), reason = 'x' where id = ?",
      [await idOf('underpaid')],
    ),
  ).rejects.toThrow('unexpected_money_dismissed_kinds')
})
