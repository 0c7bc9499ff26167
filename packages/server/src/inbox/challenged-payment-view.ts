// The view of a challenged payment for the Owner (the operator). A payment is challenged, for example, while
// a provider holds the payment for fraud review.

import { z } from 'zod'
import { methodTypes } from '../payments/method.ts'
import { customerFields } from '../payments/payment-view.ts'
import { modes } from '../values/mode.ts'
import { toJsonNumber } from '../values/money.ts'
import type { ChallengedPayment } from './waiting-payment.sql.ts'

export const challengedPaymentView = z
  .strictObject({
    tenant_id: z.uuid(),
    tenant_name: z.string().meta({ example: 'Toko Budi' }),
    payment_id: z.uuid(),
    payment_code: z.string().meta({ example: 'GP261120-7Q4M2ZK8XW' }),
    provider: z.string().meta({ example: 'midtrans' }),
    provider_payment_id: z.string().nullable().meta({
      description: "The provider's payment ID, for finding the payment in the provider's dashboard",
    }),
    method_type: z.enum(methodTypes),
    mode: z.enum(modes),
    amount: z.int().meta({ description: 'Payment amount, in cents' }),
    amount_received: z.int().nullable().meta({
      description:
        'Always null. The field exists only for compatibility with older clients. Partly paid payments are listed as unexpected money',
    }),
    failure_reason: z.string().nullable().meta({ example: 'held by fraud detection' }),
    ...customerFields,
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime().meta({ description: 'Time when the payment last changed' }),
  })
  .meta({
    id: 'ChallengedPayment',
    description: 'A payment the provider holds because it suspects fraud',
  })

export const viewChallengedPayment = (
  payment: ChallengedPayment,
): z.output<typeof challengedPaymentView> => ({
  tenant_id: payment.tenantId,
  tenant_name: payment.tenantName,
  payment_id: payment.id,
  payment_code: payment.paymentCode,
  provider: payment.provider,
  provider_payment_id: payment.providerPaymentId,
  method_type: payment.methodType,
  mode: payment.mode,
  amount: toJsonNumber(payment.amount),
  amount_received: null,
  failure_reason: payment.failureReason,
  customer_name: payment.customerName,
  customer_email: payment.customerEmail,
  customer_phone: payment.customerPhone,
  created_at: payment.createdAt.toISOString(),
  updated_at: payment.updatedAt.toISOString(),
})
