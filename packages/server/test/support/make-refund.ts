import { createHash } from 'node:crypto'
import { newPaymentCode } from '../../src/payments/payment-code.ts'
import { type PaymentRefund, refundReferenceOf } from '../../src/payments/record/refund.ts'
import { newId } from '../../src/values/id.ts'
import { now } from './make-payment.ts'

/** Returns a pending refund requested by a merchant. */
export function makeRefund(
  overrides: Partial<PaymentRefund> & Pick<PaymentRefund, 'tenantId' | 'paymentId'>,
): PaymentRefund {
  return {
    id: newId(),
    mode: 'live',
    number: 1,
    reference: refundReferenceOf(newPaymentCode(now), 1),
    amount: 2_000_000n,
    status: 'pending',
    method: 'provider',
    origin: 'merchant',
    byUser: false,
    source: 'amount_paid',
    reason: 'one book was missing',
    provider: 'midtrans',
    providerAccountId: newId(),
    providerRefundId: null,
    failureReason: null,
    failedAtProvider: false,
    bankAccount: null,
    bankReference: null,
    unexpectedMoneyId: null,
    refundedMoneyId: null,
    idempotencyKey: newId(),
    fingerprint: createHash('sha256').update('a refund').digest(),
    requestedAt: null,
    nextCheckAt: null,
    createdAt: now,
    updatedAt: now,
    succeededAt: null,
    ...overrides,
  }
}
