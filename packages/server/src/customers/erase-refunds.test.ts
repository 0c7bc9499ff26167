// Tests that erasing a payer's data also erases the payer's bank account in refunds.

import { expect, test } from 'vitest'
import { asOwner, testDatabase } from '../../test/support/database.ts'
import { insertPendingPayment, makeTenant, now } from '../../test/support/make.ts'
import { makeRefund } from '../../test/support/make-refund.ts'
import { inScope, scopeOfTenant } from '../db/tenant-scope.ts'
import { lockPaymentsWithBalances } from '../payments/payment.sql.ts'
import type { Payment } from '../payments/payment.ts'
import { newBatch } from '../payments/record/event-batch.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { recordRefund } from '../payments/record/record-refund.ts'
import { recordRefundEvent } from '../payments/record/record-refund-event.ts'
import { findRefundById } from '../payments/record/refund.sql.ts'
import type { PaymentRefund, RefundEvent } from '../payments/record/refund.ts'
import { writeBatch } from '../payments/record/write-batch.ts'
import { eraseCustomers, hasErasableData, storeErasedTo } from './customer.sql.ts'

const { db } = await testDatabase()

const bankAccount = { bank: 'BCA', number: '1234567890', holder_name: 'Budi Santoso' }
const erased = { bank: 'BCA', number: '', holder_name: '' }
const succeeded = { type: 'succeeded', providerRefundId: null, bankReference: 'TRF-1' } as const
const failed = { type: 'failed', reason: 'the bank account was closed' } as const

async function paidPayment(overrides: Partial<Payment> = {}): Promise<Payment> {
  const payment = await insertPendingPayment(db, { tenantId: await makeTenant(db), ...overrides })
  const reference = payment.paymentCode
  const event = { type: 'paid', amountPaid: payment.amount, paidAt: now, reference } as const
  await db.transaction(tx =>
    recordEvents(tx, [{ tenantId: payment.tenantId, paymentId: payment.id, event, cause: 'callback' }], now),
  )
  return payment
}

async function manualRefund({ tenantId, id: paymentId }: Payment, number = 1): Promise<PaymentRefund> {
  const refund = makeRefund({ tenantId, paymentId, number, amount: 100n, method: 'manual', bankAccount })
  await db.transaction(async tx => {
    const { payments, balances } = await lockPaymentsWithBalances(tx, [refund])
    const batch = newBatch(payments, now, balances)
    recordRefund(batch, undefined, refund, 'merchant')
    await writeBatch(tx, batch)
  })
  return refund
}

const finish = (refund: PaymentRefund, event: RefundEvent) =>
  db.transaction(tx => recordRefundEvent(tx, refund, event, { cause: 'owner', at: now }))
const erase = ({ tenantId, id }: Payment) => eraseCustomers(db, tenantId, [id], now)
const stored = async ({ tenantId, id }: PaymentRefund) =>
  (await findRefundById(db, tenantId, id))?.bankAccount

test("erasing a payer's data erases the account number and holder in finished refunds, but not the bank", async () => {
  const payment = await paidPayment()
  const refunds = [await manualRefund(payment), await manualRefund(payment, 2)] as const
  await finish(refunds[0], succeeded)
  await finish(refunds[1], failed)
  const before = await findRefundById(db, payment.tenantId, refunds[0].id)
  expect(await erase(payment)).toBe(1)
  expect(await stored(refunds[1])).toEqual(erased)
  expect(await findRefundById(db, payment.tenantId, refunds[0].id)).toEqual({
    ...before,
    bankAccount: erased,
  })
})

test.each([succeeded, failed])(
  'if the payer’s data is erased while a refund is pending, the payer’s bank account in the refund is erased only when the refund has $type',
  async event => {
    const payment = await paidPayment()
    const refund = await manualRefund(payment)
    await erase(payment)
    expect(await stored(refund)).toEqual(bankAccount)
    await finish(refund, event)
    expect(await stored(refund)).toEqual(erased)
  },
)

const noPayerData = { customerName: '', customerEmail: '', customerPhone: '', customerIp: null }

test('the payer’s bank account in a refund is erased even if the payment itself has no payer data', async () => {
  const payment = await paidPayment(noPayerData)
  const refund = await manualRefund(payment)
  expect(await erase(payment)).toBe(1)
  await finish(refund, succeeded)
  expect(await stored(refund)).toEqual(erased)
})

test("a payment has erasable data as long as it stores any payer data, such as a refund's bank account", async () => {
  const isErasable = ({ tenantId, id }: Payment) =>
    inScope(scopeOfTenant(tenantId), () => hasErasableData(db, tenantId, id))
  const payment = await paidPayment(noPayerData)
  expect(await isErasable(payment)).toBe(false)
  await manualRefund(payment)
  expect(await isErasable(payment)).toBe(true)
  await erase(payment)
  expect(await isErasable(payment)).toBe(false)
  for (const data of [{ customerName: 'Budi' }, { customerIp: '192.0.2.1' }])
    expect(await isErasable(await paidPayment({ ...noPayerData, ...data }))).toBe(true)
})

test('the bank account in a refund that ends after the payment’s retention period is erased', async () => {
  const payment = await paidPayment()
  await db.transaction(tx => storeErasedTo(tx, payment.tenantId, payment.id))
  const refund = await manualRefund(payment)
  await finish(refund, succeeded)
  expect(await stored(refund)).toEqual(erased)
})

test('a refund keeps the payer’s bank account until the payer’s data is erased', async () => {
  const [payment, other] = [await paidPayment(), await paidPayment()]
  const refund = await manualRefund(payment)
  await finish(refund, succeeded)
  await erase(other)
  expect(await eraseCustomers(db, other.tenantId, [payment.id], now)).toBe(0)
  expect(await stored(refund)).toEqual(bankAccount)
})

test("a refund's bank account never changes, and can be erased only after the refund is final", async () => {
  const payment = await paidPayment()
  const [pending, final] = [await manualRefund(payment), await manualRefund(payment, 2)]
  await finish(final, succeeded)
  const change = (refund: PaymentRefund, account: object) =>
    asOwner(db, owner =>
      owner.raw('update refunds set bank_account = ? where id = ?', [JSON.stringify(account), refund.id]),
    )
  for (const [refund, account] of [
    [pending, erased],
    [final, { ...bankAccount, number: '999' }],
    [final, { ...erased, bank: 'BNI' }],
  ] as const)
    await expect(change(refund, account)).rejects.toMatchObject({ code: '23001' })
  await expect(
    db.raw('update refunds set bank_account = ? where id = ?', [JSON.stringify(erased), final.id]),
  ).rejects.toMatchObject({ code: '42501' })
})
