import { z } from 'zod'
import { afterId, pageInput, pageOf, toPage } from '../api/page.ts'
import { router, tenantProcedure, userProcedure } from '../api/trpc.ts'
import { tenantPath } from '../tenants/tenant-view.ts'
import { getVisibleTenant } from '../tenants/visible-tenant.ts'
import { changeFeeSchedule, layerOf, type WantedFees } from './change-fee-schedule.ts'
import { listFeeSchedules, listPricedTenants } from './fee-schedule.sql.ts'
import { type FeeScheduleInput, feePreviewInput, feeScheduleInput } from './fee-schedule-input.ts'
import {
  feeHistoryView,
  feePreviewView,
  feeScheduleView,
  pricedTenantView,
  tenantFeePreviewView,
  viewFeeHistory,
  viewFeePreview,
  viewFeeSchedule,
  viewOwnFees,
  viewTenantFeePreview,
} from './fee-schedule-view.ts'
import { previewFee } from './preview-fee.ts'
import { feeRuleOf } from './stored-fee-rule.ts'

export const feeRouter = router({
  own: tenantProcedure({ permission: 'viewer', scope: 'payments:read' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/fee-schedule',
        operationId: 'getOwnFeeSchedule',
        tags: ['Fees'],
        summary: 'Get your fee schedule',
        description:
          "Returns the fee schedule that sets the fees for your payments. This is the schedule that your Partner has set for you. If the Partner's schedule is not in force or has no rules, it is the operator's schedule. `upcoming` contains the versions of either schedule that will apply later. If no rule of the Partner's schedule matches a payment, the payment has the operator's fee; `GET /v1/account/fee-preview` returns it. If your payments have no fee, the list of rules is empty.",
      },
    })
    .output(feeScheduleView)
    .query(async ({ ctx }) => {
      const { tenantId } = ctx.caller
      return viewOwnFees(tenantId, await ctx.app.feesOf(tenantId), ctx.app.clock())
    }),

  previewOwn: tenantProcedure({ permission: 'viewer', scope: 'payments:read' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/fee-preview',
        operationId: 'previewOwnFee',
        tags: ['Fees'],
        summary: 'Preview the fee for a payment',
        description:
          'Returns the fee that a payment with the given method, channel and amount would have if you created it now. No payment is created.',
      },
    })
    .input(feePreviewInput)
    .output(feePreviewView)
    .query(async ({ ctx, input }) => {
      const fees = await ctx.app.feesOf(ctx.caller.tenantId)
      const { fee, formula, amount } = previewOf(fees, input, ctx.app.clock())
      return viewFeePreview(amount, fee, formula)
    }),

  ofTenant: userProcedure({ permission: 'viewer', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/fee-schedule',
        operationId: 'getFeeSchedule',
        tags: ['Fees'],
        summary: "Get a tenant's fee schedule",
        description:
          'Returns the fee schedule you have set for the tenant. For the Owner, the schedule contains what the operator charges the tenant. For a Partner, it contains what the Partner charges its Client. If a Partner requests its own tenant, it contains what the operator charges the Partner.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath)
    .output(feeScheduleView)
    .query(async ({ ctx, input }) => {
      const { id } = await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)
      const layer = id === ctx.caller.tenantId ? 'operator' : layerOf(ctx.caller)
      return viewFeeSchedule(id, layer, await listFeeSchedules(ctx.app.db, id, layer), ctx.app.clock())
    }),

  // Only dashboard pages call these two procedures, so they are available only over tRPC and not in the REST API.
  pricedTenants: userProcedure({ permission: 'viewer', roles: ['owner', 'partner'] })
    .input(pageInput)
    .output(pageOf(pricedTenantView, 'PricedTenantPage'))
    .query(async ({ ctx, input }) => {
      const { role, tenantId } = ctx.caller
      const partnerId = role === 'owner' ? null : tenantId
      const layer = layerOf(ctx.caller)
      const rows = await listPricedTenants(ctx.app.db, layer, partnerId, afterId(input), input.limit + 1)
      return toPage(rows, input, ({ id, name }) => ({ tenant_id: id, tenant_name: name }))
    }),

  history: userProcedure({ permission: 'viewer', roles: ['owner', 'partner'] })
    .input(tenantPath)
    .output(z.array(feeHistoryView))
    .query(async ({ ctx, input }) => {
      const { id } = await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)
      const versions = await listFeeSchedules(ctx.app.db, id, layerOf(ctx.caller))
      return viewFeeHistory(versions, ctx.app.clock())
    }),

  setOfTenant: userProcedure({ permission: 'admin', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/tenants/{tenant_id}/fee-schedule',
        operationId: 'setFeeSchedule',
        tags: ['Fees'],
        summary: "Set a tenant's fee schedule",
        description:
          "Adds a version to the tenant's fee schedule. Existing payments keep their fees. The Owner sets what the operator charges a Partner or a Client. A Partner sets the price that it charges its Client. A Partner's price must not be below the Partner's cost, which is what the operator charges the Partner. The Partner receives the difference between price and cost. The request is safe to retry, because a second version with the same rules has the same effect.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend(feeScheduleInput.shape))
    .output(feeScheduleView)
    .mutation(async ({ ctx, input: { tenant_id, ...wanted } }) => {
      await changeFeeSchedule(ctx.app, ctx.caller, tenant_id, wantedFees(wanted, ctx.app.clock()))
      const layer = layerOf(ctx.caller)
      const versions = await listFeeSchedules(ctx.app.db, tenant_id, layer)
      return viewFeeSchedule(tenant_id.toLowerCase(), layer, versions, ctx.app.clock())
    }),

  previewOfTenant: userProcedure({ permission: 'viewer', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/fee-preview',
        operationId: 'previewTenantFee',
        tags: ['Fees'],
        summary: "Preview the fee for a tenant's payment",
        description:
          'Returns the fee that a payment with the given method, channel and amount would have if the tenant created it now. Also returns how the fee is split between the operator and the Partner. No payment is created.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(tenantPath.extend(feePreviewInput.shape))
    .output(tenantFeePreviewView)
    .query(async ({ ctx, input: { tenant_id, ...input } }) => {
      const { id } = await getVisibleTenant(ctx.app, ctx.caller, tenant_id)
      const { fee, formula, amount } = previewOf(await ctx.app.feesOf(id), input, ctx.app.clock())
      return viewTenantFeePreview(amount, fee, formula)
    }),
})

function previewOf(
  fees: Parameters<typeof previewFee>[0],
  {
    method_type,
    channel,
    amount,
  }: { method_type: Parameters<typeof previewFee>[1]['methodType']; channel: string; amount: number },
  at: Date,
) {
  const cents = BigInt(amount)
  return { ...previewFee(fees, { methodType: method_type, channel }, cents, at), amount: cents }
}

const wantedFees = ({ effective_from, refund_fees, rules }: FeeScheduleInput, now: Date): WantedFees => ({
  effectiveFrom: effective_from === undefined ? now : new Date(effective_from),
  refundsFees: refund_fees,
  rules: rules.map(feeRuleOf),
})
