// Builds payments without a database. Tests without a database import only this file, because make.ts loads the
// database client, which takes longer than most of these tests.

import { FINGERPRINT_VERSION, fingerprintOf, orderOf } from '../../src/payments/create/fingerprint.ts'
import type { Payment } from '../../src/payments/payment.ts'
import { newPaymentCode } from '../../src/payments/payment-code.ts'
import { newId } from '../../src/values/id.ts'

/** The time that these tests use as the current time. */
export const now = new Date('2026-11-20T03:04:05.678Z')
export const later = (ms: number): Date => new Date(now.getTime() + ms)

/**
 * Returns a pending payment of Rp 100,000 by BCA virtual account. The payment has its order's fingerprint (hash).
 */
export function makePayment(overrides: Partial<Payment> = {}): Payment {
  const id = newId()
  const payment: Omit<Payment, 'fingerprint'> = {
    tenantId: newId(),
    id,
    mode: 'live',
    paymentCode: newPaymentCode(now),
    idempotencyKey: `order-${id}`,
    fingerprintVersion: FINGERPRINT_VERSION,
    amount: 10_000_000n,
    currency: 'IDR',
    methodType: 'virtual_account',
    channel: 'bca',
    methodDetail: { type: 'virtual_account', bank: 'BCA' },
    methodData: { type: 'virtual_account', bank: 'BCA', va_number: '812785002530231' },
    status: 'pending',
    transitionCount: 1,
    provider: 'midtrans',
    providerAccountId: newId(),
    attempt: 1,
    providerPaymentId: 'be03df7d-2f97-4c8c-a53c-8959f1b67295',
    customerName: 'Budi Santoso',
    customerEmail: 'budi@example.com',
    customerPhone: '081234567890',
    items: [],
    returnUrl: null,
    customerIp: null,
    expiryMinutes: 60,
    expiresAt: later(3_600_000),
    paidAt: null,
    amountPaid: null,
    amountRefunded: 0n,
    amountReversed: 0n,
    paidReference: null,
    receipt: null,
    reversedAt: null,
    unconfirmedSince: null,
    failureReason: null,
    amountReceived: null,
    nextCheckAt: later(3_600_000),
    feeTerms: null,
    createdAt: now,
    updatedAt: now,
    ...overrides,
  }
  return { fingerprint: fingerprintOf(orderOf(payment), payment.fingerprintVersion), ...payment }
}
