// The input schemas for API requests that create, list or resolve refunds.

import { z } from 'zod'
import { rule } from '../../faults/rule.ts'
import { MAX_AMOUNT } from '../../values/money.ts'
import { notBlank, text } from '../../values/text.ts'

const required = (description: string, example: string, maxLength?: number) =>
  text(maxLength)
    .refine(value => value !== '', rule('required'))
    .meta({ ...notBlank, description, example })

export const bankAccount = z
  .object({
    bank: required('Name of the bank', 'BCA'),
    number: required('Account number', '1234567890', 64),
    holder_name: required("Account holder's name", 'Budi Santoso'),
  })
  .meta({
    id: 'BankAccountInput',
    description: "The payer's bank account, to which the Owner transfers the refund",
  })

export const createRefundInput = z.object({
  amount: z.int().min(1, rule('amount_not_positive')).max(Number(MAX_AMOUNT)).optional().meta({
    description:
      'Amount to refund, in cents: a multiple of 100 (whole rupiah), or all that is left to refund. If omitted, the remaining amount is refunded',
    example: 2_000_000,
  }),
  reason: text().optional().meta({ description: 'Reason for the refund', example: 'one book was missing' }),
  bank_account: bankAccount.optional(),
})
export type CreateRefundInput = z.output<typeof createRefundInput>

export const resolutions = ['succeeded', 'failed'] as const

export const resolveRefundInput = z.object({
  outcome: z.enum(resolutions).meta({
    description:
      '`succeeded`: the payer has received the money. `failed`: no money was returned, and the merchant gets the amount back',
  }),
  bank_reference: text().optional().meta({
    description: "Your bank transfer's reference, for a manual refund that succeeded",
    example: 'TRF-20261120-0001',
  }),
  reason: text().optional().meta({
    description:
      "Reason for the refund's outcome. The merchant can read it if the refund failed. If omitted, a failed refund gets a standard reason",
    example: 'the bank account was closed',
  }),
})
export type ResolveRefundInput = z.output<typeof resolveRefundInput>
