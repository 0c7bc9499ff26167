// A charge of unknown outcome: the provider may or may not have accepted it.

import { z } from 'zod'
import { modes } from '../mode.ts'
import { toJsonNumber } from '../money.ts'
import { type Payment, referenceOf, shownStatuses } from '../payments/payment.ts'

const identity = {
  tenant_id: z.uuid(),
  payment_id: z.uuid(),
  payment_code: z.string().meta({ example: 'GP261120-7Q4M2ZK8XW' }),
}

export const unknownPaymentView = z
  .strictObject({
    ...identity,
    reference: z.string().meta({ description: 'What the provider knows it by, if it does' }),
    provider: z.string().meta({ example: 'midtrans' }),
    amount: z.int().meta({ description: 'Cents' }),
    mode: z.enum(modes),
    since: z.iso.datetime().meta({ description: 'When its charge was left without an answer' }),
    reason: z.string().nullable().meta({ example: 'no answer within 10 s' }),
    next_inquiry_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'null: the provider was asked for 72 hours; an operator has to find out' }),
    waits_for_operator: z.boolean(),
  })
  .meta({ id: 'UnknownPayment' })

const outcomes = ['charging', 'unknown', 'not_created', 'rejected', ...shownStatuses] as const

export const paymentOutcomeView = z
  .strictObject({
    ...identity,
    outcome: z.enum(outcomes).meta({
      description:
        'unknown: still; not_created: nothing is at the provider, and the same idempotency key tries again; rejected: the provider refused it; otherwise the status that it has',
    }),
    reason: z.string().nullable(),
  })
  .meta({ id: 'PaymentOutcome' })

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
