// Tests callbacks about refunds of payments with several charge attempts. Such a callback does not always name the
// order that was refunded, but it contains the reference of the refund that this service requested.

import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { later, makePayment, makeTenant, noCallbackRules, now } from '../../test/support/make.ts'
import { makeRefund } from '../../test/support/make-refund.ts'
import { staticTokenCallbacks } from '../../test/support/static-token-callbacks.ts'
import { findBalance } from '../ledger/ledger.sql.ts'
import { insertPaymentInBatch } from '../payments/payment.sql.ts'
import { moneyReceivedEvent, type Payment, type PaymentEvent } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { recordOperatorRefund } from '../payments/record/record-refund-event.ts'
import { listRefundsOfPayments } from '../payments/record/refund.sql.ts'
import { refundReferenceOf } from '../payments/record/refund.ts'
import type { CallbackUpdate } from '../providers/provider.ts'
import { newId } from '../values/id.ts'

const AMOUNT = 10_000_000n
const { db } = await testDatabase()
let clock = now
let payment: Payment
let second: string
const callbacks = staticTokenCallbacks(db, {
  clock: () => clock,
  rules: () => noCallbackRules,
  inquire: async () => 'not_reported',
})
const keyOf = () => ({ tenantId: payment.tenantId, paymentId: payment.id })
const happens = (event: PaymentEvent | ((current: Payment) => PaymentEvent)) =>
  db.transaction(tx => recordEvents(tx, [{ ...keyOf(), event, cause: 'create' }], now))
const paid = (reference: string, providerPaymentId: string) =>
  happens(current =>
    moneyReceivedEvent(current, {
      ...{ amountPaid: AMOUNT, paidAt: now, receipt: 'py-1' },
      ...{ reference, providerPaymentId },
    }),
  )

beforeEach(async () => {
  clock = now
  second = newId()
  payment = makePayment({
    ...{ tenantId: await makeTenant(db), amount: AMOUNT, status: 'charging', transitionCount: 0 },
    ...{ methodData: null, providerPaymentId: null },
  })
  await insertPaymentInBatch(db, payment)
  await happens({
    ...{ type: 'charge_started', provider: 'xendit', providerAccountId: second },
    ...{ reason: 'could not be reached', expiresAt: payment.expiresAt, nextCheckAt: later(60_000) },
  })
})

/** Records a refund that this service requested from the given provider account. */
async function requestRefund(providerAccountId: string): Promise<string> {
  const refund = makeRefund({
    ...keyOf(),
    ...{ reference: refundReferenceOf(payment.paymentCode, 1), providerAccountId },
    ...{ amount: 4_000_000n, requestedAt: now },
  })
  await db.transaction(tx => recordOperatorRefund(tx, refund, now))
  return refund.reference
}
async function receive(
  providerAccountId: string,
  update: Pick<CallbackUpdate, 'reference' | 'providerPaymentId'> & { refund: string },
): Promise<string> {
  const { refund, ...named } = update
  const id = await callbacks.received(providerAccountId, {
    ...named,
    returns: [{ kind: 'refund', id: 'rfd-1', reference: refund, amount: 4_000_000n, status: 'succeeded' }],
    fact: { type: 'nothing', reason: 'a refund is succeeded' },
  })
  // A callback that matches no payment is retried for a minute.
  clock = later(60_000)
  await callbacks.applyOne(id)
  const { rows } = await db.raw('select status from provider_callbacks where id = ?', [id])
  return rows[0].status
}
const refunds = async () => (await listRefundsOfPayments(db, [keyOf()])).map(({ status }) => status)
const recordsAt = async (accountId: string) =>
  (await db.raw('select kind from unexpected_money where provider_account_id = ?', [accountId])).rows

test('a refund webhook with only the payment code is matched, even for a later charge attempt', async () => {
  await paid(`${payment.paymentCode}-2`, 'pr-2')
  const refund = await requestRefund(second)
  await receive(second, { reference: payment.paymentCode, providerPaymentId: 'py-1', refund })
  expect([await refunds(), await recordsAt(second)]).toEqual([['succeeded'], []])
})

test("a refund webhook with an earlier charge attempt's ID is matched if the payer paid that attempt", async () => {
  await happens({
    ...{ type: 'accepted', providerPaymentId: 'pr-2' },
    methodData: { type: 'virtual_account', bank: 'BCA', va_number: '1' },
  })
  await paid(payment.paymentCode, 'pr-1')
  const refund = await requestRefund(payment.providerAccountId)
  await receive(payment.providerAccountId, { reference: null, providerPaymentId: 'pr-1', refund })
  expect([await refunds(), await recordsAt(payment.providerAccountId)]).toEqual([['succeeded'], []])
})

test('a refund reported to an account that never charged the payment waits for the operator', async () => {
  await paid(`${payment.paymentCode}-2`, 'pr-2')
  const refund = await requestRefund(second)
  const stranger = newId()
  expect(await receive(stranger, { reference: null, providerPaymentId: 'pr-2', refund })).toBe('unmatched')
  expect([await refunds(), await recordsAt(stranger)]).toEqual([['pending'], [{ kind: 'refund' }]])
  expect(await findBalance(db, payment.tenantId, 'live')).toBe(6_000_000n)
})
