// Input schemas for the Owner's decisions in the inbox, also for browser forms.

import { z } from 'zod'
import { MAX_AMOUNT } from '../money.ts'
import { notBlank, text } from '../text.ts'

const reasonKeptWith = (what: string) =>
  text()
    .refine(reason => reason !== '', `is needed; it is kept with the ${what}`)
    .meta(notBlank)

const cents = z.int().min(1).max(Number(MAX_AMOUNT)).optional()

export const dismissMoneyInput = z.object({
  reason: reasonKeptWith('record').meta({ example: 'agreed with the payer by phone' }),
})

export const acceptMoneyInput = dismissMoneyInput.extend({
  amount: cents.meta({
    description: 'Cents; required for a refund or chargeback of which the provider did not report the amount',
  }),
})

export const assignMoneyInput = acceptMoneyInput.extend({
  payment_id: z.string().trim().meta({
    description: 'UUID of the payment, or its payment code',
    example: '01990000-0000-7000-8000-000000000001',
  }),
})

export const refundMoneyInput = dismissMoneyInput.extend({
  amount: cents.meta({ description: 'Cents' }),
})

export const resolveUnknownPaymentInput = z.object({
  decision: z.literal('not_created', 'must be not_created'),
  reason: reasonKeptWith('payment').meta({ example: 'not in the dashboard of the provider' }),
})
