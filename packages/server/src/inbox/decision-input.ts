// Input schemas for the decisions of the Owner (the operator) on unexpected money. Both the API and the
// dashboard use them.

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { bankAccount } from '../payments/refund/refund-input.ts'
import { MAX_AMOUNT } from '../values/money.ts'
import { notBlank, text } from '../values/text.ts'

const reasonKeptWith = (what: string) =>
  text()
    .refine(reason => reason !== '', rule('reason_needed', { keptWith: what }))
    .meta({ ...notBlank, description: `Reason for the decision, stored with the ${what}` })

const cents = z.int().min(1).max(Number(MAX_AMOUNT)).optional()

export const dismissMoneyInput = z.object({
  reason: reasonKeptWith('record').meta({ example: 'agreed with the payer by phone' }),
})

const creditInput = dismissMoneyInput.extend({
  amount: cents.meta({
    description:
      'Amount in cents. Required if the provider did not report the amount of the refund or chargeback',
  }),
})

export const acceptMoneyInput = creditInput.extend({
  without_confirmation: z.boolean().optional().meta({
    description:
      'Accept a partial payment (`underpaid`) without a status inquiry to the provider (default false). Has no effect on records of other kinds',
  }),
})

export const assignMoneyInput = creditInput.extend({
  payment_id: z.string().trim().meta({
    description: 'Payment UUID or payment code',
    example: '01990000-0000-7000-8000-000000000001',
  }),
})

export const refundMoneyInput = dismissMoneyInput.extend({
  amount: cents.meta({
    description:
      "Amount to refund to the payer, in cents: a multiple of 100 (whole rupiah), or all that is left to refund. Defaults to the excess for an overpaid payment, and to the record's full amount otherwise",
  }),
  bank_account: bankAccount.optional(),
})

export const resolveUnknownPaymentInput = z.object({
  decision: z.literal('not_created'),
  reason: reasonKeptWith('payment').meta({
    example: "the provider's dashboard does not show the charge",
  }),
})
