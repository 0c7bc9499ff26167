// The public view of a payment's charge attempts. It shows each attempt's provider and outcome.

import { z } from 'zod'
import type { ChargeAttempt } from '../attempt.sql.ts'
import { isShown, type Payment } from '../payment.ts'

const outcomes = ['charging', 'unknown', 'not_created', 'rejected', 'accepted'] as const
type Outcome = (typeof outcomes)[number]

export const attemptView = z
  .strictObject({
    number: z.int().min(1).meta({ description: 'Number of the charge attempt, starting at 1' }),
    provider: z.string().meta({ example: 'midtrans' }),
    reference: z.string().meta({
      description:
        'Order reference of this attempt at the provider: the payment code, followed by the attempt number from the second attempt on',
      example: 'GP261120-7Q4M2ZK8XW-2',
    }),
    outcome: z.enum(outcomes).meta({
      description:
        '`charging`: in progress. `unknown`: the outcome is not yet known. `not_created`: the provider created no charge. `rejected`: the provider rejected the charge. `accepted`: the provider created the charge',
    }),
    reason: z.string().nullable().meta({
      description: 'Why the attempt failed or why its outcome is unknown, as text; null otherwise',
      example: 'could not be reached',
    }),
    started_at: z.iso.datetime().meta({ description: 'Time when the charge attempt started' }),
    ended_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'Time when the next attempt replaced this one; null for the last attempt' }),
  })
  .meta({ id: 'PaymentAttempt', description: 'An attempt to charge a payment at a provider' })

export const viewAttempt =
  (payment: Pick<Payment, 'attempt' | 'status' | 'failureReason' | 'paidReference' | 'methodData'>) =>
  (attempt: ChargeAttempt): z.output<typeof attemptView> => {
    const isLast = attempt.number === payment.attempt
    // The payer can pay an earlier attempt's order although the provider reported that it created none.
    const isPaid = attempt.reference === payment.paidReference
    const outcome = isPaid ? 'accepted' : isLast ? lastOutcome(payment) : 'not_created'
    const reason = isLast ? payment.failureReason : attempt.reason
    return {
      number: attempt.number,
      provider: attempt.provider,
      reference: attempt.reference,
      outcome,
      reason: outcome === 'accepted' ? null : reason,
      started_at: attempt.startedAt.toISOString(),
      ended_at: attempt.endedAt?.toISOString() ?? null,
    }
  }

/**
 * Returns the outcome of the last attempt if the payer paid no order, or an earlier attempt's order. In the latter case,
 * the payment no longer shows how the last charge ended, unless the provider returned payment instructions.
 */
function lastOutcome({ status, methodData }: Pick<Payment, 'status' | 'methodData'>): Outcome {
  if (status === 'paid' && methodData === null) return 'unknown'
  if (isShown(status)) return 'accepted'
  return status === 'uncharged' ? 'not_created' : status
}
