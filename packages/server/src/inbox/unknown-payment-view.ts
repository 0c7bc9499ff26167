// The operator's view of a payment whose charge has an unknown outcome: the provider may or may not have accepted
// the charge.

import { z } from 'zod'
import { type Payment, referenceOf, shownStatuses } from '../payments/payment.ts'
import { modes } from '../values/mode.ts'
import { toJsonNumber } from '../values/money.ts'

const identity = {
  tenant_id: z.uuid(),
  payment_id: z.uuid(),
  payment_code: z.string().meta({ example: 'GP261120-7Q4M2ZK8XW' }),
}

export const unknownPaymentView = z
  .strictObject({
    ...identity,
    reference: z.string().meta({
      description: 'Order reference used to send the charge to the provider',
    }),
    provider: z.string().meta({ example: 'midtrans' }),
    amount: z.int().meta({ description: 'Payment amount, in cents' }),
    mode: z.enum(modes),
    since: z.iso
      .datetime()
      .meta({ description: 'Time when the charge ended without a response from the provider' }),
    reason: z.string().nullable().meta({ example: 'no answer within 10 s' }),
    next_inquiry_at: z.iso.datetime().nullable().meta({
      description:
        'Time of the next status inquiry; null after 72 hours, when an operator must check the charge',
    }),
    waits_for_operator: z.boolean(),
  })
  .meta({ id: 'UnknownPayment', description: 'A charge whose outcome at the provider is unknown' })

const outcomes = ['charging', 'unknown', 'not_created', 'rejected', ...shownStatuses] as const

export const paymentOutcomeView = z
  .strictObject({
    ...identity,
    outcome: z.enum(outcomes).meta({
      description:
        "`unknown`: the outcome is still unknown. `not_created`: the charge does not exist at the provider; a retry with the same idempotency key charges again. `rejected`: the provider rejected the charge. Any other value is the payment's status",
    }),
    reason: z.string().nullable(),
  })
  .meta({
    id: 'PaymentOutcome',
    description: "The outcome of a payment's charge, which can still be unknown",
  })

export const viewUnknownPayment = (payment: Payment): z.output<typeof unknownPaymentView> => ({
  ...identityOf(payment),
  reference: referenceOf(payment),
  provider: payment.provider,
  amount: toJsonNumber(payment.amount),
  mode: payment.mode,
  since: payment.updatedAt.toISOString(),
  reason: payment.failureReason,
  next_inquiry_at: payment.nextCheckAt?.toISOString() ?? null,
  waits_for_operator: payment.nextCheckAt === null,
})

export const viewOutcome = (payment: Payment): z.output<typeof paymentOutcomeView> => ({
  ...identityOf(payment),
  outcome: payment.status === 'uncharged' ? 'not_created' : payment.status,
  reason: payment.failureReason,
})

const identityOf = ({ tenantId, id, paymentCode }: Payment) => ({
  tenant_id: tenantId,
  payment_id: id,
  payment_code: paymentCode,
})
