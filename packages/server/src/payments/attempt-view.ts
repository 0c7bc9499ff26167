// The API's view of a payment's charge attempts: their provider and their outcome.

import { z } from 'zod'
import type { Attempt } from './attempt.sql.ts'
import { isShown, type Payment, type Status } from './payment.ts'

const outcomes = ['charging', 'unknown', 'not_created', 'rejected', 'accepted'] as const
type Outcome = (typeof outcomes)[number]

export const attemptView = z
  .strictObject({
    number: z.int().min(1),
    provider: z.string().meta({ example: 'midtrans' }),
    reference: z.string().meta({
      description: 'What the provider knows it by: the payment code, from the second try on with its number',
      example: 'GP261120-7Q4M2ZK8XW-2',
    }),
    outcome: z.enum(outcomes).meta({
      description: 'not_created: it certainly left nothing at the provider, and the next one followed',
    }),
    reason: z.string().nullable().meta({ example: 'could not be reached' }),
    started_at: z.iso.datetime(),
    ended_at: z.iso.datetime().nullable().meta({ description: 'Of a try that another one followed' }),
  })
  .meta({ id: 'PaymentAttempt' })

export const viewAttempt =
  (payment: Pick<Payment, 'attempt' | 'status' | 'failureReason'>) =>
  (attempt: Attempt): z.output<typeof attemptView> => {
    const isLast = attempt.number === payment.attempt
    const outcome = isLast ? outcomeOf(payment.status) : 'not_created'
    const own = outcome === 'accepted' ? null : payment.failureReason
    return {
      number: attempt.number,
      provider: attempt.provider,
      reference: attempt.reference,
      outcome,
      reason: isLast ? own : attempt.reason,
      started_at: attempt.startedAt.toISOString(),
      ended_at: attempt.endedAt?.toISOString() ?? null,
    }
  }

function outcomeOf(status: Status): Outcome {
  if (isShown(status)) return 'accepted'
  return status === 'uncharged' ? 'not_created' : status
}
