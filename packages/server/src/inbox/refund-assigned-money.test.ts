// Tests refunds of money that the Owner (the operator) assigned to a payment. The provider reported this money under an
// order reference that none of the payment's charge attempts has, possibly at another provider account.

import { beforeEach, describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, now } from '../../test/support/make.ts'
import { bankAccount, refundScene } from '../../test/support/refund-scene.ts'
import { sweepDueRefunds } from '../../test/support/sweep-due-refunds.ts'
import { newRefund } from '../payments/record/new-refund.ts'
import { recordOperatorRefund } from '../payments/record/record-refund-event.ts'
import { recordUnmatchedMoney } from '../payments/record/record-unmatched-money.ts'
import { createRefund } from '../payments/refund/create-refund.ts'
import { offerRefund } from '../payments/refund/refund-offer.ts'
import { resolveRefund } from '../payments/refund/resolve-refund.ts'
import { newId } from '../values/id.ts'
import { after } from '../values/time.ts'
import { assignMoney } from './assign-money.ts'

const { db } = await testDatabase()

let scene: ReturnType<typeof refundScene>
let receivedAt: string

beforeEach(async () => {
  scene = refundScene(db)
  receivedAt = newId()
  await scene.begin()
})

/** Simulates a report that matches no payment, and assigns its money to the payment. */
async function assign(reference: string, receipt = 'r-9'): Promise<string> {
  const fact = { type: 'paid', amountPaid: 100_000n, paidAt: now, receipt } as const
  const update = { reference, providerPaymentId: 'p-9', fact }
  await db.transaction(tx =>
    recordUnmatchedMoney(
      tx,
      [{ provider: 'xendit', providerAccountId: receivedAt, mode: 'live', update }],
      now,
    ),
  )
  const { rows } = await db.raw('select id from unexpected_money where provider_account_id = ?', [receivedAt])
  await assignMoney(scene.app, null, rows[0].id, { paymentId: scene.payment.id, reason: 'an old invoice' })
  return rows[0].id
}

const refund = (input: object = {}) =>
  createRefund(scene.app, { ...scene.key(), mode: 'live' }, newId(), input, {
    ...{ byUser: false, unprovenUpTo: null },
  })

describe.each([
  ['under an unknown reference', () => `INV-${newId()}`],
  ['without a reference', () => ''],
  ["with the payment's reference at another provider account", () => scene.payment.paymentCode],
  ['under a reference that only looks like a charge attempt', () => `${scene.payment.paymentCode}-2`],
])(
  'if a payment was paid with assigned money that was received %s, it can be refunded only by bank transfer',
  (_, reference) => {
    beforeEach(() => assign(reference()))

    test('a payment that assigned money paid can be refunded only to a bank account', async () => {
      await expect(refund()).rejects.toMatchObject({
        field: 'bank_account',
        message: expect.stringContaining('under an order reference that does not belong to this payment'),
      })
      expect(await scene.refunds()).toEqual([])
      const created = await refund({ bank_account: bankAccount })
      expect(created.refund).toMatchObject({
        ...{ method: 'manual', status: 'pending', source: 'amount_paid', nextCheckAt: null },
        providerAccountId: receivedAt,
      })
      await sweepDueRefunds(scene.app)
      await resolveRefund(scene.app, null, created.refund.id, {
        ...{ outcome: 'succeeded', bank_reference: 'TRF-1' },
      })
      expect(scene.asked).toEqual([])
      expect(await scene.current()).toMatchObject({ status: 'paid', amountRefunded: 100_000n })
      expect(await scene.balance()).toBe(0n)
    })

    test('a refund of money received under another order reference requires a bank account', async () => {
      await expect(scene.giveBack()).rejects.toMatchObject({
        field: 'bank_account',
        message: expect.stringContaining('under an order reference that does not belong to this payment'),
      })
      await scene.giveBack({ bankAccount })
      await sweepDueRefunds(scene.app)
      expect(scene.asked).toEqual([])
      expect(await scene.refunds()).toMatchObject([{ method: 'manual', providerAccountId: receivedAt }])
    })

    test('the dashboard offers only a bank transfer to refund assigned money of another order', async () => {
      expect(await offerRefund(scene.app, await scene.current())).toMatchObject({
        left: 100_000,
        terms: null,
      })
    })

    test("in the tenant's book (ledger), the assigned money is owed by the provider account that received it", async () => {
      expect(await scene.book()).toEqual({ [`provider:${receivedAt}`]: -100_000n })
    })

    test.each([
      ['with', true],
      ['without', false],
    ])(
      'a refund of assigned money that was recorded for a provider (%s refund support) fails without a provider request, and its amount is credited back',
      async (_, hasRefunds) => {
        await recordForProvider()
        if (!hasRefunds) scene.state.provider = { ...scene.state.provider, refunds: undefined } as never
        await sweepDueRefunds(scene.app)
        expect(scene.asked).toEqual([])
        expect(await scene.refunds()).toMatchObject([
          { status: 'failed', failureReason: expect.stringContaining('under another order reference') },
        ])
        expect(await scene.balance()).toBe(100_000n)
      },
    )

    test('a possibly requested refund of assigned money stays pending, without inquiries, until the Owner resolves it', async () => {
      await recordForProvider()
      await db.raw('update refunds set requested_at = ? where payment_id = ?', [now, scene.payment.id])
      let inquiries = 0
      scene.inquire = () => {
        inquiries += 1
        return { status: { type: 'absent' }, returns: [] }
      }
      scene.state.at = after(now, 10_000)
      await sweepDueRefunds(scene.app)
      expect([scene.asked, inquiries]).toEqual([[], 0])
      const [pending] = await scene.refunds()
      expect(pending).toMatchObject({ status: 'pending' })
      await resolveRefund(scene.app, null, pending?.id ?? '', { outcome: 'failed', reason: 'not made' })
      expect(await scene.balance()).toBe(100_000n)
    })
  },
)

/**
 * Records a refund through the provider. Older versions of the service did this even for money that the
 * operator had assigned to the payment.
 */
async function recordForProvider(): Promise<void> {
  const { provider, providerAccountId } = scene.payment
  const terms = { amount: 100_000n, method: 'provider', origin: 'merchant', nextCheckAt: now } as const
  const request = { idempotencyKey: newId(), fingerprint: Buffer.alloc(32) }
  const recorded = newRefund(scene.payment, [], { ...terms, ...request, provider, providerAccountId }, now)
  await db.transaction(tx => recordOperatorRefund(tx, recorded, now))
}

test('a paid payment with other assigned money can still be refunded through its provider', async () => {
  await scene.receive(100_000n, 'r-1')
  const id = await assign(`INV-${newId()}`)
  await expect(scene.giveBack({}, id)).rejects.toMatchObject({ field: 'bank_account' })
  await scene.giveBack({ bankAccount }, id)
  expect((await refund()).refund).toMatchObject({ method: 'provider', status: 'succeeded' })
  expect(scene.asked).toMatchObject([{ order: { reference: scene.payment.paymentCode } }])
  expect(await scene.refunds()).toMatchObject([
    { source: 'separate_credit', method: 'manual', providerAccountId: receivedAt },
    { source: 'amount_paid', providerAccountId: scene.payment.providerAccountId },
  ])
})

test('after a failed refund, assigned money can be accepted or assigned only for the same payment', async () => {
  const id = await assign(`INV-${newId()}`)
  await scene.giveBack({ bankAccount }, id)
  const [transfer] = await scene.refunds()
  await resolveRefund(scene.app, null, transfer?.id ?? '', { outcome: 'failed', reason: 'account closed' })
  const assigned = { status: 'open', credited: true, paymentId: scene.payment.id }
  expect(await scene.first()).toMatchObject(assigned)
  const other = await insertPendingPayment(db, { tenantId: scene.payment.tenantId, amount: 100_000n })
  const assignTo = (paymentId: string) =>
    assignMoney(scene.app, null, id, { paymentId, reason: 'not this one' })
  await expect(assignTo(other.id)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: `conflict: this money already belongs to payment ${scene.payment.id}; accept or refund the money`,
  })
  expect([await scene.first(), await scene.balance()]).toMatchObject([assigned, 100_000n])
  expect(await assignTo(scene.payment.id)).toMatchObject({ status: 'accepted', credited: true })
  expect(await scene.balance()).toBe(100_000n)
})
