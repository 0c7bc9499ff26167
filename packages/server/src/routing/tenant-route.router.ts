import { z } from 'zod'
import { router, userProcedure } from '../api/trpc.ts'
import { MAX_AMOUNT } from '../money.ts'
import { methodTypes } from '../payments/method.ts'
import { tenantPath } from '../tenants/tenant-view.ts'
import { getVisibleTenant } from '../tenants/visible-tenant.ts'
import { listEntitlements } from './entitlement.sql.ts'
import { entitlementView, viewEntitlement } from './entitlement-view.ts'
import { replaceEntitlements } from './replace-entitlements.ts'
import { replaceRoutingRules } from './replace-routing-rules.ts'
import type { RoutingRule } from './route.ts'
import { listRules } from './routing-rule.sql.ts'
import { routingRuleView, viewRule } from './routing-rule-view.ts'

/** What is replaced as a whole is read as a whole: in the form of a page, but always the only one. */
const wholeOf = <View extends z.ZodType>(view: View, id: string) =>
  z
    .strictObject({
      items: z.array(view),
      next_cursor: z.null().meta({ description: 'Always null: the list is whole' }),
    })
    .meta({ id })
const whole = <View>(items: View[]) => ({ items, next_cursor: null })

const entitlements = wholeOf(entitlementView, 'Entitlements')
const rules = wholeOf(routingRuleView, 'RoutingRules')

const accountId = z
  .uuid('must be the UUID of a provider account')
  .meta({ example: '01990000-0000-7000-8000-000000000014' })
const bound = (description: string) =>
  z.int().min(0).max(Number(MAX_AMOUNT)).nullable().default(null).meta({ description, example: null })

const entitlementInput = z
  .object({
    provider_account_id: accountId,
    priority: z
      .int()
      .min(0)
      .max(1_000_000)
      .default(100)
      .meta({ description: 'Where no routing rule decides, lower is tried first' }),
  })
  .meta({ id: 'EntitlementInput' })

const ruleInput = z
  .object({
    position: z.int().min(0).max(1_000_000).optional().meta({
      description: 'Lower goes first; rules of one position share by weight. Left out: its place in the list',
      example: 1,
    }),
    method_type: z
      .enum(methodTypes)
      .nullable()
      .default(null)
      .meta({ description: 'null: every method', example: 'virtual_account' }),
    channel: z
      .string()
      .trim()
      .toLowerCase()
      .min(1, 'must not be empty')
      .max(64, 'must be at most 64 characters')
      .nullable()
      .default(null)
      .meta({ description: 'null: every channel', example: 'bca' }),
    min_amount: bound('Cents, included; null: from the lowest'),
    max_amount: bound('Cents, included; null: to the highest'),
    provider_account_id: accountId,
    weight: z
      .int()
      .min(1)
      .max(1_000_000)
      .default(1)
      .meta({ description: 'Share among the rules of one position' }),
  })
  .refine(({ min_amount, max_amount }) => (min_amount ?? 0) <= (max_amount ?? Number.POSITIVE_INFINITY), {
    path: ['max_amount'],
    error: 'must not be below min_amount',
  })
  .meta({ id: 'RoutingRuleInput' })

export const tenantRouteRouter = router({
  entitlements: userProcedure('owner', 'partner')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/entitlements',
        operationId: 'getEntitlements',
        tags: ['Routing'],
        summary: "Get a tenant's entitlements",
        description: 'The provider accounts that the tenant may use, in the order in which they are tried.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath)
    .output(entitlements)
    .query(async ({ ctx, input }) => {
      const { id } = await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)
      return whole((await listEntitlements(ctx.app.db, id)).map(viewEntitlement))
    }),

  setEntitlements: userProcedure('owner', 'partner')
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/tenants/{tenant_id}/entitlements',
        operationId: 'setEntitlements',
        tags: ['Routing'],
        summary: "Set a tenant's entitlements",
        description:
          'Replaces them all; it can be repeated. Routing rules for an account that is left out go with it. A Partner grants the accounts that it is itself entitled to, and may keep what its Client already has. Payments are routed by them within a second.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend({ items: z.array(entitlementInput).max(100, 'must hold at most 100 items') }))
    .output(entitlements)
    .mutation(async ({ ctx, input }) => {
      const wanted = input.items.map(({ provider_account_id, priority }) => ({
        providerAccountId: provider_account_id.toLowerCase(),
        priority,
      }))
      const kept = await replaceEntitlements(ctx.app, ctx.caller, input.tenant_id, wanted)
      return whole(kept.map(viewEntitlement))
    }),

  rules: userProcedure('owner', 'partner')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/routing-rules',
        operationId: 'getRoutingRules',
        tags: ['Routing'],
        summary: "Get a tenant's routing rules",
        description: 'In the order in which they apply.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath)
    .output(rules)
    .query(async ({ ctx, input }) => {
      const { id } = await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)
      return whole((await listRules(ctx.app.db, id)).map(viewRule))
    }),

  setRules: userProcedure('owner', 'partner')
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/tenants/{tenant_id}/routing-rules',
        operationId: 'setRoutingRules',
        tags: ['Routing'],
        summary: "Set a tenant's routing rules",
        description:
          'Replaces them all; it can be repeated. A rule sends the payments that meet its conditions to one of the provider accounts that the tenant is entitled to; what no rule meets goes by the priority of the entitlements.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend({ items: z.array(ruleInput).max(500, 'must hold at most 500 items') }))
    .output(rules)
    .mutation(async ({ ctx, input }) => {
      const wanted = input.items.map(toRule)
      const kept = await replaceRoutingRules(ctx.app, ctx.caller, input.tenant_id, wanted)
      return whole(kept.map(viewRule))
    }),
})

const toRule = (item: z.output<typeof ruleInput>, index: number): RoutingRule => ({
  position: item.position ?? index + 1,
  methodType: item.method_type,
  channel: item.channel,
  minAmount: item.min_amount === null ? null : BigInt(item.min_amount),
  maxAmount: item.max_amount === null ? null : BigInt(item.max_amount),
  providerAccountId: item.provider_account_id.toLowerCase(),
  weight: item.weight,
})
