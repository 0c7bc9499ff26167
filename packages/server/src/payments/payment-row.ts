import type { Payment } from './payment.ts'

/**
 * Returns the columns that an insert stores, with values that JSON can represent. A new payment has twice as many
 * fields, and converting all of them with a replacer function would cost several times as much.
 */
export const insertedRowOf = (payment: Payment) => ({
  tenantId: payment.tenantId,
  id: payment.id,
  mode: payment.mode,
  paymentCode: payment.paymentCode,
  idempotencyKey: payment.idempotencyKey,
  fingerprint: payment.fingerprint.toString('hex'),
  fingerprintVersion: payment.fingerprintVersion,
  amount: payment.amount.toString(),
  currency: payment.currency,
  methodType: payment.methodType,
  channel: payment.channel,
  methodDetail: payment.methodDetail,
  status: payment.status,
  provider: payment.provider,
  providerAccountId: payment.providerAccountId,
  customerName: payment.customerName,
  customerEmail: payment.customerEmail,
  customerPhone: payment.customerPhone,
  items: payment.items,
  returnUrl: payment.returnUrl,
  customerIp: payment.customerIp,
  expiryMinutes: payment.expiryMinutes,
  expiresAt: payment.expiresAt,
  nextCheckAt: payment.nextCheckAt,
  feeTerms: payment.feeTerms,
  createdAt: payment.createdAt,
  updatedAt: payment.updatedAt,
})
