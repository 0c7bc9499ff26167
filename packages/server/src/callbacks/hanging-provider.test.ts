// Tests how callbacks that need a status inquiry are processed while their provider does not respond.

import { expect, test } from 'vitest'
import { alwaysHealthy } from '../../test/support/always-healthy.ts'
import { testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, later, makeTenant, noCallbackRules, now } from '../../test/support/make.ts'
import { createLog } from '../logging/log.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { accountSlots } from '../provider-accounts/account-slots.ts'
import { inquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import { midtrans } from '../providers/midtrans/midtrans.ts'
import { signatureOf } from '../providers/midtrans/signature.ts'
import { type InquiryResult, ProviderError } from '../providers/provider.ts'
import { newId } from '../values/id.ts'
import { callbackApplier } from './apply-callbacks.ts'
import { insertCallbacks } from './callback.sql.ts'

const { db } = await testDatabase()
let clock = now
let inquire: () => Promise<InquiryResult> = async () => 'absent'
const { applyOne: alone } = callbackApplier(
  {
    db,
    clock: () => clock,
    log: createLog('silent'),
    health: alwaysHealthy,
    publicUrl: 'https://pay.example.com',
    // For simplicity, each test account's Midtrans server key is the account's ID.
    accountOf: async (id: string) => ({
      provider: { ...midtrans, inquire: () => inquire() },
      account: { id, mode: 'live', credentials: { server_key: id }, baseUrl: null },
      callbackRules: noCallbackRules,
    }),
  },
  accountSlots(2),
  inquiryLimits(() => clock),
)

const settlement = { status_code: '200', transaction_status: 'settlement' }
const denial = { status_code: '202', transaction_status: 'deny' }

/**
 * Creates a payment and records the event `event` for it. Then stores a callback for which the service must send a
 * status inquiry about the payment.
 */
async function keep(
  providerAccountId: string,
  event: PaymentEvent | ((payment: Payment) => PaymentEvent),
  message: typeof settlement,
): Promise<string> {
  const payment = await insertPendingPayment(db, { tenantId: await makeTenant(db), providerAccountId })
  const { tenantId, id: paymentId } = payment
  await db.transaction(tx => recordEvents(tx, [{ tenantId, paymentId, event, cause: 'callback' }], now))
  const fields = { order_id: payment.paymentCode, gross_amount: '100000.00', ...message }
  const rest = { transaction_id: 't-1', payment_type: 'bank_transfer' }
  const signature_key = signatureOf(fields, providerAccountId)
  const id = newId()
  const body = Buffer.from(JSON.stringify({ ...fields, ...rest, signature_key }))
  await insertCallbacks(db, [
    {
      id,
      providerAccountId,
      provider: 'midtrans',
      path: '',
      headers: {},
      body,
      receivedAt: now,
      trace: null,
    },
  ])
  return id
}
/** Stores a callback that reports money for a cancelled payment. */
const keepLate = (providerAccountId: string) => keep(providerAccountId, { type: 'cancelled' }, settlement)
const statusOf = async (id: string) => {
  const { rows } = await db.raw('select status from provider_callbacks where id = ?', [id])
  return rows[0].status
}

test('callbacks from an unresponsive provider occupy no status inquiry slots that other accounts need', async () => {
  const [mine, theirs] = [newId(), newId()]
  const [hanging, next, other] = [await keepLate(mine), await keepLate(mine), await keepLate(theirs)]
  const [isAsked, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  inquire = async () => {
    isAsked.resolve()
    await gate.promise
    return 'absent'
  }
  const waiting = alone(hanging)
  await isAsked.promise
  await alone(next)
  expect(await statusOf(next)).toBe('received')
  const { rows } = await db.raw('select run_at > now() as waits from graphile_worker.jobs where key = ?', [
    next,
  ])
  expect(rows).toEqual([{ waits: true }])

  inquire = async () => 'absent'
  await alone(other)
  expect(await statusOf(other)).toBe('applied')
  gate.resolve()
  await waiting
  await alone(next)
  expect([await statusOf(hanging), await statusOf(next)]).toEqual(['applied', 'applied'])
})

test("a callback that reports a paid payment as failed waits for the provider's response to an inquiry", async () => {
  const paid = (payment: Payment): PaymentEvent => ({
    type: 'paid',
    amountPaid: payment.amount,
    paidAt: now,
    reference: payment.paymentCode,
    receipt: 't-1',
  })
  const id = await keep(newId(), paid, denial)
  inquire = async () => {
    throw new ProviderError('unknown', 'no answer within 10 s')
  }
  clock = later(24 * 3_600_000)
  await expect(alone(id)).rejects.toThrow('the provider did not respond to the status inquiry')
  expect(await statusOf(id)).toBe('received')
})
