// The request schemas for fee schedules, which are used by both the API and the dashboard's forms.

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { methodTypes } from '../payments/method.ts'
import { MAX_AMOUNT } from '../values/money.ts'
import { queryInteger } from '../values/query-integer.ts'
import { notBlank, text } from '../values/text.ts'

const channelCode = text(64).toLowerCase().min(1).meta(notBlank)
const basisPoints = z.int().min(0).max(10_000).default(0)
const cents = z.int().min(0).max(Number(MAX_AMOUNT))

export const feeRuleInput = z
  .object({
    method_type: z.enum(methodTypes).nullable().default(null).meta({
      description: 'Payment method the rule matches; null matches every method',
      example: 'virtual_account',
    }),
    channel: channelCode.nullable().default(null).meta({
      description:
        'Channel code the rule matches; null matches every channel. A code that no provider offers is rejected',
      example: 'bca',
    }),
    percent_bps: basisPoints.meta({
      description: 'Percentage of the amount, in basis points: 70 is 0.7%',
      example: 70,
    }),
    fixed: cents.default(0).meta({ description: 'Fixed part of the fee, in cents', example: 400_000 }),
    min: cents
      .nullable()
      .default(null)
      .meta({ description: 'Minimum fee before tax, in cents; null means no minimum', example: null }),
    max: cents
      .nullable()
      .default(null)
      .meta({ description: 'Maximum fee before tax, in cents; null means no maximum', example: null }),
    tax_bps: basisPoints.meta({
      description: 'Tax rate on the fee (PPN), in basis points: 1100 is 11%',
      example: 1_100,
    }),
  })
  .refine(({ min, max }) => (min ?? 0) <= (max ?? Number.POSITIVE_INFINITY), {
    path: ['max'],
    error: rule('max_below_min', { min: 'min' }),
  })
  .meta({ id: 'FeeRuleInput', description: 'How the fee of a payment that matches the rule is computed' })

export const feeScheduleInput = z.object({
  effective_from: z.iso.datetime({ offset: true }).optional().meta({
    description:
      'Time from which the schedule applies to new payments. If omitted or in the past, the schedule applies from now on',
    example: '2027-01-01T00:00:00+07:00',
  }),
  refund_fees: z.boolean().default(false).meta({
    description:
      'Whether a successful refund returns the fee in proportion to the refunded amount. A chargeback never returns the fee',
  }),
  rules: z.array(feeRuleInput).max(200).meta({
    description:
      'The rules. The most specific rule that matches a payment sets its fee. From most to least specific: a rule for a method and channel, a rule for a channel, a rule for a method, and a rule for all payments. If no rule matches, the payment has no fee under a schedule of the Owner. Under a schedule of a Partner, it then has the fee that the Owner charges',
  }),
})
export type FeeScheduleInput = z.output<typeof feeScheduleInput>

/**
 * The amount, method and channel of the payment whose fee is previewed. The amount is parsed from text, because it
 * comes from the query string.
 */
export const feePreviewInput = z.object({
  method_type: z.enum(methodTypes).meta({ description: 'Payment method', example: 'virtual_account' }),
  channel: channelCode.meta({
    description: 'Channel code from `GET /v1/active-methods`, such as `BCA`; `qris` for QRIS',
    example: 'bca',
  }),
  amount: queryInteger(1, Number(MAX_AMOUNT)).meta({
    description: 'Payment amount, in cents',
    example: 15_000_000,
  }),
})
