import { pageOf, partInput, toPart } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import type { Db } from '../db/db.ts'
import { tiers, type Viewer } from '../tenants/tenant.ts'
import { tenantPath } from '../tenants/tenant-view.ts'
import { getVisibleTenant } from '../tenants/visible-tenant.ts'
import { changeTenantLimits } from './change-tenant-limits.ts'
import { changeTierLimits } from './change-tier-limits.ts'
import { findTenantLimitsInBatch, listTierLimits } from './limits.sql.ts'
import { inheritsAll } from './limits.ts'
import { changesIn, limitsInput, tierPath } from './limits-input.ts'
import { tenantLimitsView, tierLimitsView, viewTenantLimits, viewTierLimits } from './limits-view.ts'

async function viewOfTenant(app: { db: Db }, viewer: Viewer, tenantId: string) {
  const tenant = await getVisibleTenant(app, viewer, tenantId)
  const [ofTiers, own] = await Promise.all([
    listTierLimits(app.db),
    findTenantLimitsInBatch(app.db, tenant.id),
  ])
  return viewTenantLimits(tenant, ofTiers, own)
}

export const limitsRouter = router({
  ofTiers: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/limits',
        operationId: 'listTierLimits',
        tags: ['Limits'],
        summary: 'List tier limits',
        description:
          'Lists the request limits of every tier, lowest tier first. Each limit shows whether its value is set for the tier or is the default.',
      },
    })
    .input(partInput)
    .output(pageOf(tierLimitsView, 'TierLimitsList'))
    .query(async ({ ctx, input }) => {
      const set = await listTierLimits(ctx.app.db)
      return toPart(
        [...tiers],
        input,
        tier => tier,
        tier => viewTierLimits(tier, set),
      )
    }),

  updateTier: userProcedure({ permission: 'admin', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/v1/limits/{tier}',
        operationId: 'updateTierLimits',
        tags: ['Limits'],
        summary: "Change a tier's limits",
        description:
          'Changes the given request limits for a tier; omitted limits keep their value, and null resets a limit to its default. The change applies within one second to every tenant in the tier that has no limit of its own. The request is safe to retry.',
      },
    })
    .input(tierPath.extend(limitsInput.shape))
    .output(tierLimitsView)
    .mutation(async ({ ctx, input: { tier, ...wanted } }) =>
      viewTierLimits(tier, await changeTierLimits(ctx.app, ctx.caller, tier, changesIn(wanted))),
    ),

  resetTier: userProcedure({ permission: 'admin', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/limits/{tier}',
        operationId: 'resetTierLimits',
        tags: ['Limits'],
        summary: "Reset a tier's limits",
        description:
          'Resets all request limits of the tier to their defaults, which apply within one second. The request is safe to retry.',
      },
    })
    .input(tierPath)
    .output(tierLimitsView)
    .mutation(async ({ ctx, input: { tier } }) =>
      viewTierLimits(tier, await changeTierLimits(ctx.app, ctx.caller, tier, inheritsAll)),
    ),

  ofTenant: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/limits',
        operationId: 'getTenantLimits',
        tags: ['Limits'],
        summary: "Get a tenant's limits",
        description:
          'Returns the request limits that apply to a tenant. Each limit shows whether its value is set for the tenant, set for its tier, or the default.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath)
    .output(tenantLimitsView)
    .query(({ ctx, input }) => viewOfTenant(ctx.app, ctx.caller, input.tenant_id)),

  updateTenant: userProcedure({ permission: 'admin', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/v1/tenants/{tenant_id}/limits',
        operationId: 'updateTenantLimits',
        tags: ['Limits'],
        summary: "Change a tenant's limits",
        description:
          "Changes the given request limits for a tenant; omitted limits keep their value, and null resets a limit to the value for the tenant's tier. The change applies within one second. The request is safe to retry.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend(limitsInput.shape))
    .output(tenantLimitsView)
    .mutation(async ({ ctx, input: { tenant_id, ...wanted } }) => {
      await changeTenantLimits(ctx.app, ctx.caller, tenant_id, changesIn(wanted))
      return viewOfTenant(ctx.app, ctx.caller, tenant_id)
    }),

  resetTenant: userProcedure({ permission: 'admin', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/tenants/{tenant_id}/limits',
        operationId: 'resetTenantLimits',
        tags: ['Limits'],
        summary: "Reset a tenant's limits",
        description:
          'Resets all request limits for the tenant to the values for its tier within one second. The request is safe to retry.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath)
    .output(tenantLimitsView)
    .mutation(async ({ ctx, input }) => {
      await changeTenantLimits(ctx.app, ctx.caller, input.tenant_id, inheritsAll)
      return viewOfTenant(ctx.app, ctx.caller, input.tenant_id)
    }),
})
