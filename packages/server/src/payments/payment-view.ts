// The public view of a payment. API responses and webhooks have the same schema.

import { z } from 'zod'
import { toJsonNumber } from '../money.ts'
import {
  eWalletData,
  type MethodType,
  methodData,
  methodTypes,
  overTheCounterData,
  qrisData,
  virtualAccountData,
  withoutInstructions,
} from './method.ts'
import { isShown, type ShownPayment, shownStatuses } from './payment.ts'

const timestamp = (description: string) =>
  z.iso.datetime().meta({ description, example: '2026-11-20T03:04:05.678Z' })
const cents = z.int().min(0)

export const itemView = z
  .strictObject({ id: z.string(), name: z.string(), price: z.int(), quantity: z.int() })
  .meta({ id: 'Item', description: 'One line of the order; the price is in cents' })

export const paymentView = z
  .strictObject({
    id: z.uuid().meta({ example: '01990000-0000-7000-8000-000000000001' }),
    tenant_id: z.uuid().meta({ description: 'The merchant whose payment it is' }),
    payment_code: z.string().meta({
      description: 'For people; also the order reference at the provider',
      example: 'GP261120-7Q4M2ZK8XW',
    }),
    idempotency_key: z
      .string()
      .meta({ description: 'The X-Idempotency-Key that it was created with', example: 'order-1001' }),
    amount: cents.meta({ description: 'Cents; 1 rupiah = 100 cents', example: 10_000_000 }),
    currency: z.literal('IDR'),
    method_type: z.enum(methodTypes),
    method_data: methodData,
    status: z.enum(shownStatuses).meta({
      description:
        'pending: it can be paid; paid: deliver; failed, expired, cancelled: it is over, unless its money comes all the same; challenged: in doubt, the Owner decides',
    }),
    provider: z.string().meta({ description: 'Code of the provider that handles it', example: 'midtrans' }),
    provider_payment_id: z.string().meta({
      description: "The provider's own id of it; empty where it gave none",
      example: 'be03df7d-2f97-4c8c-a53c-8959f1b67295',
    }),
    customer_name: z.string().meta({ description: 'Empty where none was sent' }),
    customer_email: z.string().meta({ description: 'Empty where none was sent' }),
    customer_phone: z.string().meta({ description: 'Empty where none was sent' }),
    items: z.array(itemView),
    expires_at: timestamp('When the payer can no longer pay'),
    paid_at: timestamp('When the money arrived').nullable(),
    amount_paid: cents
      .nullable()
      .meta({ description: 'Cents that arrived, which can be more than the amount; null until paid' }),
    failure_reason: z
      .string()
      .nullable()
      .meta({ description: 'Why it failed or is challenged, in words; null otherwise' }),
    created_at: timestamp('When it was created'),
    updated_at: timestamp('When it last changed'),
  })
  .meta({ id: 'Payment' })
export type PaymentView = z.output<typeof paymentView>

const paymentBy = <Data extends z.ZodType>(type: MethodType, data: Data, id: string) =>
  paymentView.extend({ method_type: z.literal(type), method_data: data }).meta({ id })

/** The same view as one object per method type, so that a generated client knows which fields go together. */
export const paymentByMethod = z
  .discriminatedUnion('method_type', [
    paymentBy('virtual_account', virtualAccountData, 'VirtualAccountPayment'),
    paymentBy('qris', qrisData, 'QrisPayment'),
    paymentBy('e_wallet', eWalletData, 'EWalletPayment'),
    paymentBy('over_the_counter', overTheCounterData, 'OverTheCounterPayment'),
  ])
  .meta({ id: 'Payment', description: 'A payment; what is in `method_data` depends on its `method_type`' })

/** Only a payment that a provider accepted, or for which money was received, has a view. */
export function viewPayment(payment: ShownPayment): PaymentView {
  if (!isShown(payment.status))
    throw new Error(`payment ${payment.id} is ${payment.status}, which is not shown`)
  return {
    id: payment.id,
    tenant_id: payment.tenantId,
    payment_code: payment.paymentCode,
    idempotency_key: payment.idempotencyKey,
    amount: toJsonNumber(payment.amount),
    currency: payment.currency,
    method_type: payment.methodType,
    method_data: payment.methodData ?? withoutInstructions(payment.methodDetail),
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
    failure_reason: payment.failureReason,
    created_at: payment.createdAt.toISOString(),
    updated_at: payment.updatedAt.toISOString(),
  }
}
