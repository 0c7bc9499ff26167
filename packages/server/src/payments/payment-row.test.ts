import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { later, makePayment, now } from '../../test/support/make-payment.ts'
import { findPaymentInBatch, insertPaymentInBatch } from './payment.sql.ts'
import { insertedRowOf } from './payment-row.ts'

const { db } = await testDatabase()

test("inserting a payment stores every value that comes from the merchant's order or from the service", async () => {
  const payment = makePayment({
    mode: 'test',
    status: 'charging',
    items: [{ id: 'sku-1', name: 'Kopi', price: 5_000_000, quantity: 2 }],
    returnUrl: 'https://shop.example/thanks',
    customerIp: '203.0.113.7',
    expiryMinutes: 45,
    expiresAt: later(2_700_000),
    nextCheckAt: later(60_000),
    feeTerms: {
      operator: {
        version: 1,
        fixed: 450_000,
        percent_bps: 70,
        min: null,
        max: null,
        tax_bps: 1_100,
        refund_fees: false,
      },
      partner: null,
    },
    createdAt: now,
    updatedAt: later(1),
  })
  expect(await insertPaymentInBatch(db, payment)).toBe(true)
  const stored = await findPaymentInBatch(db, payment.tenantId, payment.id, null)
  const expected = insertedRowOf(payment)
  expect(Object.entries(expected).filter(([, value]) => value === null)).toEqual([])
  expect(stored && insertedRowOf(stored)).toEqual(expected)
})
