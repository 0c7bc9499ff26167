import { newId } from '../../values/id.ts'
import type { Payment } from '../payment.ts'
import { type PaymentRefund, refundReferenceOf } from './refund.ts'

type Terms = Pick<PaymentRefund, 'amount' | 'method' | 'origin' | 'provider' | 'providerAccountId'>

/**
 * Creates the next refund for a payment. `others` are its existing refunds. By default, the refund is pending,
 * returns part of the amount paid, and has no request or inquiry scheduled. `terms` can override these defaults.
 */
export function newRefund(
  payment: Pick<Payment, 'tenantId' | 'id' | 'mode' | 'paymentCode'>,
  others: readonly PaymentRefund[],
  terms: Terms & Partial<PaymentRefund>,
  at: Date,
): PaymentRefund {
  const number = others.reduce((last, each) => Math.max(last, each.number), 0) + 1
  return {
    tenantId: payment.tenantId,
    id: newId(),
    paymentId: payment.id,
    mode: payment.mode,
    number,
    reference: refundReferenceOf(payment.paymentCode, number),
    status: 'pending',
    byUser: false,
    source: 'amount_paid',
    reason: '',
    providerRefundId: null,
    failureReason: null,
    failedAtProvider: false,
    bankAccount: null,
    bankReference: null,
    unexpectedMoneyId: null,
    refundedMoneyId: null,
    idempotencyKey: null,
    fingerprint: null,
    requestedAt: null,
    nextCheckAt: null,
    createdAt: at,
    updatedAt: at,
    succeededAt: null,
    ...terms,
  }
}
