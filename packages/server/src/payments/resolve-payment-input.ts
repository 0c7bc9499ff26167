// The input schema for the operator's decision on a challenged payment (in fraud review, or partly paid). It is
// shared by the API and the dashboard.

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { notBlank, text } from '../values/text.ts'

export const decisions = ['accept', 'reject'] as const
export type ChallengeDecision = (typeof decisions)[number]

export const resolvePaymentInput = z.object({
  decision: z.enum(decisions).meta({
    description:
      '`accept`: the payment becomes paid once the provider confirms it. `reject`: the payment becomes failed',
  }),
  without_confirmation: z.boolean().optional().meta({
    description:
      'With `accept`: credit the payment even if the provider does not confirm that it received the money (default false). The full amount is credited or, if only part of the amount was received, the received part. If the full amount was credited and the provider later reports the payment as expired, failed or cancelled, the credit is reversed and its fee is returned',
  }),
  reason: text()
    .refine(reason => reason !== '', rule('reason_needed', { keptWith: 'payment' }))
    .meta({
      ...notBlank,
      description: 'Reason for the decision. The merchant can read it',
      example: 'the difference was waived',
    }),
})
