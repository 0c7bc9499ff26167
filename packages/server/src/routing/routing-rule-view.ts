import { z } from 'zod'
import { listedMethodTypes } from '../payments/method.ts'
import { toJsonNumber } from '../values/money.ts'
import type { RoutingRule } from './route.ts'

export const routingRuleView = z
  .strictObject({
    position: z.int(),
    method_type: z.enum(listedMethodTypes).nullable(),
    channel: z.string().nullable(),
    min_amount: z.int().nullable(),
    max_amount: z.int().nullable(),
    provider_account_id: z.uuid(),
    weight: z.int(),
  })
  .meta({ id: 'RoutingRule', description: 'A rule that selects a provider account' })

export const viewRule = (rule: RoutingRule): z.output<typeof routingRuleView> => ({
  position: rule.position,
  method_type: rule.methodType,
  channel: rule.channel,
  min_amount: rule.minAmount === null ? null : toJsonNumber(rule.minAmount),
  max_amount: rule.maxAmount === null ? null : toJsonNumber(rule.maxAmount),
  provider_account_id: rule.providerAccountId,
  weight: rule.weight,
})
