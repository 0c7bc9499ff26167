// Input schemas for a tenant's entitlements (permissions to use provider accounts) and routing rules, for API
// requests and browser forms.

import { z } from 'zod'
import { rule } from '../faults/rule.ts'
import { methodTypes } from '../payments/method.ts'
import { modes } from '../values/mode.ts'
import { MAX_AMOUNT } from '../values/money.ts'
import { queryInteger } from '../values/query-integer.ts'
import { notBlank } from '../values/text.ts'

const accountId = z.uuid().meta({ example: '01990000-0000-7000-8000-000000000014' })
const bound = (description: string) =>
  z.int().min(0).max(Number(MAX_AMOUNT)).nullable().default(null).meta({ description, example: null })

const channelCode = z.string().trim().toLowerCase().min(1).max(64).meta(notBlank)

export const entitlementInput = z
  .object({
    provider_account_id: accountId,
    priority: z.int().min(0).max(1_000_000).default(100).meta({
      description:
        "Order in which the tenant's provider accounts are tried if no routing rule matches the payment; lower values are tried first",
    }),
  })
  .meta({ id: 'EntitlementInput', description: 'A provider account that the tenant may use' })

export const routingRuleInput = z
  .object({
    position: z.int().min(0).max(1_000_000).optional().meta({
      description:
        "Position of the routing rule. Rules with a lower position apply first. Rules with the same position share the payments in proportion to `weight`. If omitted, the position is the rule's place in the request's list",
      example: 1,
    }),
    method_type: z.enum(methodTypes).nullable().default(null).meta({
      description: 'Payment method the rule matches; null matches every method',
      example: 'virtual_account',
    }),
    channel: channelCode.nullable().default(null).meta({
      description: 'Channel code the rule matches; null matches every channel',
      example: 'bca',
    }),
    min_amount: bound('Minimum amount in cents (inclusive); null means no minimum'),
    max_amount: bound('Maximum amount in cents (inclusive); null means no maximum'),
    provider_account_id: accountId,
    weight: z.int().min(1).max(1_000_000).default(1).meta({
      description:
        'Weight of the routing rule. Matching rules with the same `position` share the payments in proportion to their weights',
    }),
  })
  .refine(({ min_amount, max_amount }) => (min_amount ?? 0) <= (max_amount ?? Number.POSITIVE_INFINITY), {
    path: ['max_amount'],
    error: rule('max_below_min', { min: 'min_amount' }),
  })
  .meta({ id: 'RoutingRuleInput', description: 'A rule that selects a provider account' })
export type RoutingRuleInput = z.output<typeof routingRuleInput>

/** The payment whose route is previewed. The amount is parsed from text because it comes from the query string. */
export const previewRouteInput = z.object({
  mode: z.enum(modes).meta({ description: 'Payment mode: `test` or `live`', example: 'test' }),
  method_type: z.enum(methodTypes).meta({ description: 'Payment method', example: 'virtual_account' }),
  channel: channelCode.meta({
    description: 'Channel code from `GET /v1/active-methods`, such as `BCA`; `qris` for QRIS',
    example: 'bca',
  }),
  amount: queryInteger(1, Number(MAX_AMOUNT)).meta({
    description: 'Payment amount, in cents',
    example: 10_000_000,
  }),
})

/**
 * The input schema for a tenant's entitlements (permissions to use provider accounts). The given items
 * replace all existing entitlements.
 */
export const entitlementsInput = z.object({
  items: z.array(entitlementInput).max(100),
})
export const routingRulesInput = z.object({
  items: z.array(routingRuleInput).max(500),
})
