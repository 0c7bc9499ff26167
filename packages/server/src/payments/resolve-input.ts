// The input schema for the Owner's decision on a challenged payment, also for browser forms.

import { z } from 'zod'
import { notBlank, text } from '../text.ts'

export const decisions = ['accept', 'reject'] as const
export type Decision = (typeof decisions)[number]

export const resolvePaymentInput = z.object({
  decision: z.enum(decisions, `must be one of ${decisions.join(', ')}`).meta({
    description:
      'accept: it is paid with the amount that arrived, which the provider is asked to confirm; reject: it has failed',
  }),
  without_confirmation: z.boolean().optional().meta({
    description:
      'With accept: credit the whole amount though no provider has confirmed that the money arrived. If the provider later reports that the payment expired, failed or was cancelled, the credit is taken back. It has no effect where a part of the money arrived',
  }),
  reason: text()
    .refine(reason => reason !== '', 'is needed; it is kept with the payment')
    .meta({ ...notBlank, description: 'Shown to the merchant', example: 'the difference was waived' }),
})
