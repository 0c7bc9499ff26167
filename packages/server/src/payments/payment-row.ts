import type { Payment } from './payment.ts'

/** The values stored when a payment is inserted, with their PostgreSQL types. */
const types = {
  tenantId: 'uuid',
  id: 'uuid',
  mode: 'text',
  paymentCode: 'text',
  idempotencyKey: 'text',
  fingerprint: 'text',
  fingerprintVersion: 'smallint',
  amount: 'bigint',
  currency: 'text',
  methodType: 'text',
  channel: 'text',
  methodDetail: 'jsonb',
  status: 'text',
  provider: 'text',
  providerAccountId: 'uuid',
  customerName: 'text',
  customerEmail: 'text',
  customerPhone: 'text',
  items: 'jsonb',
  returnUrl: 'text',
  customerIp: 'text',
  expiryMinutes: 'integer',
  expiresAt: 'timestamptz',
  nextCheckAt: 'timestamptz',
  feeTerms: 'jsonb',
  createdAt: 'timestamptz',
  updatedAt: 'timestamptz',
} as const

/** The column definitions that `jsonb_to_recordset` uses to read inserted rows. */
export const insertedRecord = Object.entries(types)
  .map(([name, type]) => `"${name}" ${type}`)
  .join(', ')

/**
 * Returns the payment's values that an insert stores, in a form for JSON. Lists each field, because a
 * replacer function for JSON.stringify is several times slower.
 */
export const insertedRowOf = (payment: Payment): Record<keyof typeof types, unknown> => ({
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
