// Tests callbacks without one of our order references, which are matched by the provider’s ID. Also tests callbacks
// that prove no payment. The provider is a test double.

import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, noCallbackRules, now } from '../../test/support/make.ts'
import { staticTokenCallbacks } from '../../test/support/static-token-callbacks.ts'
import { listEntriesOfPayment } from '../ledger/ledger.sql.ts'
import { findPaymentInBatch } from '../payments/payment.sql.ts'
import type { Payment } from '../payments/payment.ts'
import type { CallbackUpdate, Inquiry, InquiryResult } from '../providers/provider.ts'
import { newId } from '../values/id.ts'

const { db } = await testDatabase()
let clock = now
let response: (inquiry: Inquiry) => Promise<InquiryResult> = async () => 'absent'
const {
  applyBatch: together,
  applyOne: alone,
  received,
} = staticTokenCallbacks(db, {
  clock: () => clock,
  rules: () => noCallbackRules,
  inquire: inquiry => response(inquiry),
})
/**
 * Returns an update that reports a payment as paid. The update identifies the payment only by the provider's
 * ID and contains none of our order references.
 */
const paid = (providerPaymentId: string, extra: { receipt?: string } = {}): CallbackUpdate => ({
  reference: null,
  providerPaymentId,
  fact: { type: 'paid', amountPaid: 10_000_000n, ...extra },
})
const callbackOf = async (id: string): Promise<{ status: string; reason: string | null }> =>
  (await db.raw('select status, reason from provider_callbacks where id = ?', [id])).rows[0]
const moneyAt = async (accountId: string): Promise<{ reference: string; receipt: string }[]> =>
  (
    await db.raw(
      'select reference, receipt from unexpected_money where provider_account_id = ? order by receipt',
      [accountId],
    )
  ).rows
const pending = async (providerAccountId: string, providerPaymentId: string) =>
  insertPendingPayment(db, { tenantId: await makeTenant(db), providerAccountId, providerPaymentId })
const stateOf = async ({ tenantId, id }: Payment) => ({
  status: (await findPaymentInBatch(db, tenantId, id, null))?.status,
  entries: (await listEntriesOfPayment(db, tenantId, id)).map(({ amount }) => amount),
})
const aMinuteLater = () => {
  clock = later(clock.getTime() - now.getTime() + 60_000)
}

describe('a callback without one of our order references is matched by the provider’s ID', () => {
  test("if a callback has no order reference, its payment is found by the provider's ID and becomes paid", async () => {
    const account = newId()
    const [payment, foreign] = [await pending(account, 'P-1'), await pending(newId(), 'P-1')]
    const id = await received(account, paid('P-1', { receipt: 'R-1' }))
    await together([id])
    expect(await callbackOf(id)).toEqual({ status: 'applied', reason: null })
    const { tenantId } = payment
    expect(await findPaymentInBatch(db, tenantId, payment.id, null)).toMatchObject({
      status: 'paid',
      paidReference: payment.paymentCode,
      receipt: 'R-1',
    })
    expect((await stateOf(foreign)).status).toBe('pending')
  })

  test('money for a provider ID of two payments credits neither until the operator decides', async () => {
    const account = newId()
    const both = [await pending(account, 'P-2'), await pending(account, 'P-2')]
    const id = await received(account, paid('P-2'))
    aMinuteLater()
    await together([id])
    expect((await callbackOf(id)).status).toBe('unmatched')
    expect(await moneyAt(account)).toEqual([{ reference: '', receipt: 'P-2' }])
    for (const payment of both) expect((await stateOf(payment)).status).toBe('pending')
  })

  test('an unmatched transfer from an unverified sender is recorded as unexpected money under its reference', async () => {
    const account = newId()
    const fact = {
      type: 'challenged',
      reason: 'the sender could not be verified',
      claim: { amountPaid: 10_000_000n, receipt: 'R-9' },
    } as const
    await together([await received(account, { reference: 'INVOICE-9', providerPaymentId: 'P-9', fact })])
    expect(await moneyAt(account)).toEqual([{ reference: 'INVOICE-9', receipt: 'R-9' }])
  })

  test('a callback without an order reference is retried for a minute, until its provider payment ID is known', async () => {
    const account = newId()
    const [early, never] = [await received(account, paid('P-3')), await received(account, paid('P-4'))]
    await together([early, never])
    await alone(early)
    expect([(await callbackOf(early)).status, (await callbackOf(never)).status]).toEqual([
      'received',
      'received',
    ])
    const { rows } = await db.raw(
      `select key, run_at > now() as waits from graphile_worker.jobs where task_identifier = 'apply_callback' and key = any(?)`,
      [[early, never]],
    )
    expect(rows.map(({ waits }: { waits: boolean }) => waits)).toEqual([true, true])
    expect(await moneyAt(account)).toEqual([])

    const payment = await pending(account, 'P-3')
    await alone(early)
    expect((await stateOf(payment)).status).toBe('paid')
    aMinuteLater()
    await alone(never)
    expect((await callbackOf(never)).status).toBe('unmatched')
    expect(await moneyAt(account)).toEqual([{ reference: '', receipt: 'P-4' }])
  })

  test.each(['', 'a\0b', '\ud800'])(
    'reports of money without an order reference are recorded separately if their provider ID is unusable: %j',
    async providerPaymentId => {
      const account = newId()
      const ids = [
        await received(account, paid(providerPaymentId)),
        await received(account, paid(providerPaymentId)),
        await received(account, paid(providerPaymentId), paid(providerPaymentId)),
      ]
      aMinuteLater()
      await together(ids)
      const records = await moneyAt(account)
      expect(records).toHaveLength(4)
      for (const { reference, receipt } of records)
        expect([reference, receipt]).toEqual(['', expect.stringMatching(/^[0-9a-f]{64}-\d$/)])
    },
  )
})

describe('an unproven callback about an order created outside the service credits nothing', () => {
  const money = { type: 'paid', amountPaid: 4_000_000n, receipt: 'T-1' } as const
  const openPayment = (reference: string | null): CallbackUpdate => ({
    ...{ reference, providerPaymentId: 'T-1' },
    fact: { type: 'unproven', reason: 'an open payment', claimsPayment: true, ifUnmatched: money },
  })

  test.each(['INV-7', null])(
    'if the callback matches no payment, the reported money is recorded once for the Owner (order reference %j)',
    async reference => {
      const account = newId()
      const ids = [
        await received(account, openPayment(reference)),
        await received(account, openPayment(reference)),
      ]
      aMinuteLater()
      await together(ids)
      expect(await moneyAt(account)).toEqual([{ reference: reference ?? '', receipt: 'T-1' }])
      expect(await callbackOf(ids[0] as string)).toMatchObject({
        status: 'unmatched',
        reason: expect.stringContaining('its money waits for the Owner'),
      })
    },
  )

  test('an unproven callback credits its payment only if a status inquiry confirms it', async () => {
    const account = newId()
    const payment = await pending(account, 'P-6')
    response = async ({ reference }) => ({ reference, providerPaymentId: 'P-6', fact: { type: 'pending' } })
    const id = await received(account, openPayment(payment.paymentCode))
    aMinuteLater()
    await alone(id)
    expect((await callbackOf(id)).status).toBe('ignored')
    expect(await stateOf(payment)).toEqual({ status: 'pending', entries: [] })
    expect(await moneyAt(account)).toEqual([])
  })
})
