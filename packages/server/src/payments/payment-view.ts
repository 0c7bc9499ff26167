// The public view of a payment. API responses and webhooks contain the same fields.

import { z } from 'zod'
import { modes } from '../values/mode.ts'
import { toJsonNumber } from '../values/money.ts'
import {
  eWalletData,
  type MethodType,
  methodData,
  methodTypes,
  overTheCounterData,
  qrisData,
  viewMethodData,
  virtualAccountData,
} from './method.ts'
import { isShown, type ShownPayment, shownStatuses } from './payment.ts'

const timestamp = (description: string) =>
  z.iso.datetime().meta({ description, example: '2026-11-20T03:04:05.678Z' })
const cents = z.int().min(0)

export const itemView = z
  .strictObject({ id: z.string(), name: z.string(), price: z.int(), quantity: z.int() })
  .meta({
    id: 'Item',
    description: 'An item the customer ordered. `price` is the price of one unit, in cents',
  })

/** The payer's contact data. Fields the merchant did not send are empty. */
export const customerFields = {
  customer_name: z
    .string()
    .meta({ description: 'Name of the customer; empty if the create request contained no name' }),
  customer_email: z.string().meta({
    description: 'Customer email address; empty if the create request contained no email address',
  }),
  customer_phone: z.string().meta({
    description: 'Phone number of the customer; empty if the create request contained no phone number',
  }),
}

export const paymentView = z
  .strictObject({
    id: z.uuid().meta({ example: '01990000-0000-7000-8000-000000000001' }),
    tenant_id: z.uuid().meta({ description: 'ID of the merchant that owns the payment' }),
    mode: z.enum(modes).meta({
      description:
        'Mode of the API key that created the payment. `live` payments move real money; `test` payments are simulated',
      example: 'live',
    }),
    payment_code: z.string().meta({
      description: 'Human-readable payment code, also sent to the provider as the order reference',
      example: 'GP261120-7Q4M2ZK8XW',
    }),
    idempotency_key: z
      .string()
      .meta({ description: 'The X-Idempotency-Key of the create request', example: 'order-1001' }),
    amount: cents.meta({
      description: 'Amount the payer has to pay, in cents (1 rupiah = 100 cents)',
      example: 10_000_000,
    }),
    currency: z.literal('IDR'),
    method_type: z.enum(methodTypes),
    method_data: methodData,
    status: z.enum(shownStatuses).meta({
      description:
        '`pending`: the payer can pay. `paid`: the money was received; compare `amount_paid` with `amount`, then deliver the goods. `failed`, `expired`, `cancelled`: the payment is closed, but becomes paid if its money is received later. `challenged`: the payment is suspicious or only partly paid; the Owner decides',
    }),
    provider: z
      .string()
      .meta({ description: 'Code of the provider processing the payment', example: 'midtrans' }),
    provider_payment_id: z.string().meta({
      description: "The provider's payment ID; empty if the provider returned none",
      example: 'be03df7d-2f97-4c8c-a53c-8959f1b67295',
    }),
    ...customerFields,
    items: z.array(itemView),
    expires_at: timestamp('Time when the payment expires'),
    paid_at: timestamp('Time when the payment was paid; null while it is unpaid').nullable(),
    amount_paid: cents.nullable().meta({
      description:
        'Amount received for the payment, in cents. It can be more than `amount`, or less if the Owner accepted a partial payment. Null while the payment is unpaid',
    }),
    amount_refunded: cents.meta({ description: 'Amount refunded to the payer, in cents', example: 0 }),
    amount_reversed: cents.meta({
      description: 'Amount the provider took back after the payment was paid, in cents',
      example: 0,
    }),
    failure_reason: z.string().nullable().meta({
      description:
        'Why the payment failed or was challenged (held for review), as text; null for all other payments',
    }),
    created_at: timestamp('Time when the payment was created'),
    updated_at: timestamp('Time when the payment last changed'),
  })
  .meta({ id: 'Payment' })
export type PaymentView = z.output<typeof paymentView>

const paymentBy = <Data extends z.ZodType>(type: MethodType, data: Data, id: string) =>
  paymentView.extend({ method_type: z.literal(type), method_data: data }).meta({ id })

/**
 * The public view of a payment: one schema per method type, so that generated clients know each method's fields.
 */
export const anyPayment = z.discriminatedUnion('method_type', [
  paymentBy('virtual_account', virtualAccountData, 'VirtualAccountPayment'),
  paymentBy('qris', qrisData, 'QrisPayment'),
  paymentBy('e_wallet', eWalletData, 'EWalletPayment'),
  paymentBy('over_the_counter', overTheCounterData, 'OverTheCounterPayment'),
])
export const paymentByMethod = anyPayment.meta({
  id: 'Payment',
  description: 'A payment. The fields of `method_data` depend on `method_type`',
})

export function viewPayment(payment: ShownPayment): PaymentView {
  if (!isShown(payment.status))
    throw new Error(
      `payment ${payment.id} has the internal status ${payment.status}, which the API does not show`,
    )
  return {
    id: payment.id,
    tenant_id: payment.tenantId,
    mode: payment.mode,
    payment_code: payment.paymentCode,
    idempotency_key: payment.idempotencyKey,
    amount: toJsonNumber(payment.amount),
    currency: payment.currency,
    method_type: payment.methodType,
    method_data: viewMethodData(payment.methodDetail, payment.methodData),
    status: payment.status,
    provider: payment.provider,
    provider_payment_id: payment.providerPaymentId ?? '',
    customer_name: payment.customerName,
    customer_email: payment.customerEmail,
    customer_phone: payment.customerPhone,
    items: payment.items,
    expires_at: payment.expiresAt.toISOString(),
    paid_at: payment.paidAt?.toISOString() ?? null,
    amount_paid: payment.amountPaid === null ? null : toJsonNumber(payment.amountPaid),
    amount_refunded: toJsonNumber(payment.amountRefunded),
    amount_reversed: toJsonNumber(payment.amountReversed),
    failure_reason: payment.failureReason,
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
  }
}
