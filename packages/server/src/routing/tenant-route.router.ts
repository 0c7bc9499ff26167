import { z } from 'zod'
import { pageOf, partInput, toPart } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { tenantPath } from '../tenants/tenant-view.ts'
import { getVisibleTenant } from '../tenants/visible-tenant.ts'
import { noNextCursor } from '../values/no-next-cursor.ts'
import { listEntitlements } from './entitlement.sql.ts'
import { entitlementView, viewEntitlement } from './entitlement-view.ts'
import { replaceEntitlements } from './replace-entitlements.ts'
import { replaceRoutingRules } from './replace-routing-rules.ts'
import { findRoutesInBatch, listAccountNames } from './route.sql.ts'
import type { RoutingRule } from './route.ts'
import {
  entitlementsInput,
  previewRouteInput,
  type RoutingRuleInput,
  routingRulesInput,
} from './route-input.ts'
import { previewRoute } from './route-preview.ts'
import { routeCandidateView, viewRoute } from './route-preview-view.ts'
import { listRulesInBatch } from './routing-rule.sql.ts'
import { routingRuleView, viewRule } from './routing-rule-view.ts'

const entitlements = pageOf(entitlementView, 'Entitlements')
const rules = pageOf(routingRuleView, 'RoutingRules')
const preview = z
  .strictObject({
    items: z.array(routeCandidateView),
    next_cursor: noNextCursor,
  })
  .meta({
    id: 'RoutePreview',
    description: 'The provider accounts that would be tried for a payment, in order',
  })
/** Returns all items as a single page, because the API returns lists in pages (docs/decisions/0008). */
const whole = <View>(items: View[]) => ({ items, next_cursor: null })

export const tenantRouteRouter = router({
  entitlements: userProcedure({ permission: 'viewer', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/entitlements',
        operationId: 'getEntitlements',
        tags: ['Routing'],
        summary: "Get a tenant's entitlements",
        description:
          'Lists the provider accounts the tenant may use, in the order in which the service tries them if no routing rule matches.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend(partInput.shape))
    .output(entitlements)
    .query(async ({ ctx, input }) => {
      const { id } = await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)
      const rows = await listEntitlements(ctx.app.db, id)
      return toPart(
        rows,
        input,
        each => each.providerAccountId,
        each => viewEntitlement(each, ctx.caller.role),
      )
    }),

  setEntitlements: userProcedure({ permission: 'admin', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/tenants/{tenant_id}/entitlements',
        operationId: 'setEntitlements',
        tags: ['Routing'],
        summary: "Set a tenant's entitlements",
        description:
          "Replaces all of the tenant's entitlements (the provider accounts the tenant may use). Routing rules for a removed account are deleted. A Partner can grant the accounts it may use itself, and can keep accounts its Client already has. The change applies to new payments within one second. The request is safe to retry.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend(entitlementsInput.shape))
    .output(entitlements)
    .mutation(async ({ ctx, input }) => {
      const wanted = input.items.map(({ provider_account_id, priority }) => ({
        providerAccountId: provider_account_id.toLowerCase(),
        priority,
      }))
      const kept = await replaceEntitlements(ctx.app, ctx.caller, input.tenant_id, wanted)
      return whole(kept.map(each => viewEntitlement(each, ctx.caller.role)))
    }),

  rules: userProcedure({ permission: 'viewer', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/routing-rules',
        operationId: 'getRoutingRules',
        tags: ['Routing'],
        summary: "Get a tenant's routing rules",
        description: "Lists the tenant's routing rules. The service applies them in this order.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend(partInput.shape))
    .output(rules)
    .query(async ({ ctx, input }) => {
      const { id } = await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)
      return toPart(await listRulesInBatch(ctx.app.db, id), input, rule => rule.id, viewRule)
    }),

  preview: userProcedure({ permission: 'viewer', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/route',
        operationId: 'previewRoute',
        tags: ['Routing'],
        summary: "Preview a payment's route",
        description:
          "Lists, in order, the provider accounts the service would now try for a payment with the given properties, and the reason for each account. The preview creates no payment and calls no provider.\n\nAccounts selected by rules with the same position have the same `place`. For each payment, the service picks one of these accounts at random, with the probability in `chance`. An account's circuit breaker is open if too many of the account's charges failed or were slow. The service skips such an account if another one is available. The list is empty if none of the tenant's enabled accounts offers the channel.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend(previewRouteInput.shape))
    .output(preview)
    .query(async ({ ctx, input: { tenant_id, mode, method_type, channel, amount } }) => {
      const { id } = await getVisibleTenant(ctx.app, ctx.caller, tenant_id)
      const wanted = { mode, methodType: method_type, channel, amount: BigInt(amount) }
      const routes = await findRoutesInBatch(ctx.app.db, id)
      const candidates = previewRoute(ctx.app.providers, routes, wanted)
      // Only the Owner (the operator's tenant) may see the names of provider accounts.
      const isOwner = ctx.caller.role === 'owner'
      const names = isOwner
        ? await listAccountNames(
            ctx.app.db,
            candidates.map(each => each.accountId),
          )
        : new Map()
      const circuits = new Map(ctx.app.health.all().map(each => [each.accountId, each.circuit]))
      return whole(viewRoute(candidates, { routes, request: wanted, names, circuits }))
    }),

  setRules: userProcedure({ permission: 'admin', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/tenants/{tenant_id}/routing-rules',
        operationId: 'setRoutingRules',
        tags: ['Routing'],
        summary: "Set a tenant's routing rules",
        description:
          "Replaces all of the tenant's routing rules. A rule selects one of the provider accounts the tenant may use, for payments that match the rule's conditions. If a payment matches no rule, the service tries the tenant's accounts in order of priority. The request is safe to retry.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend(routingRulesInput.shape))
    .output(rules)
    .mutation(async ({ ctx, input }) => {
      const wanted = input.items.map(toRule)
      const kept = await replaceRoutingRules(ctx.app, ctx.caller, input.tenant_id, wanted)
      return whole(kept.map(viewRule))
    }),
})

const toRule = (item: RoutingRuleInput, index: number): RoutingRule => ({
  position: item.position ?? index + 1,
  methodType: item.method_type,
  channel: item.channel,
  minAmount: item.min_amount === null ? null : BigInt(item.min_amount),
  maxAmount: item.max_amount === null ? null : BigInt(item.max_amount),
  providerAccountId: item.provider_account_id.toLowerCase(),
  weight: item.weight,
})
