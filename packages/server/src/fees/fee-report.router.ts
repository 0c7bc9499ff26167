import { z } from 'zod'
import { chosenMode, chosenSingleMode, userModeFilter } from '../api/chosen-mode.ts'
import { exportStyle } from '../api/export-style.ts'
import { router, tenantProcedure, userProcedure } from '../api/trpc.ts'
import { fault } from '../faults/fault.ts'
import { MAX_DAYS } from '../reports/payment-report.ts'
import { withReportSlot } from '../reports/report-slots.ts'
import { tenantPath } from '../tenants/tenant-view.ts'
import { getVisibleTenant } from '../tenants/visible-tenant.ts'
import { day, dayOf, daysBefore, daysOf, periodOfDays } from '../values/day.ts'
import { modes } from '../values/mode.ts'
import { type FeeGroup, feeGroups } from './fee-report.sql.ts'
import { feeGroupList, feeReportSheet, feeReportView, reportFees } from './fee-report.ts'
import { feeStatementView, month, stateFees, statementSheet } from './fee-statement.ts'

const DEFAULT_DAYS = 30
const oneGroup = `(?:${feeGroups.join('|')})`

const statementInput = z.object({
  month,
  mode: z.enum(modes).optional().meta({
    description: "Payment mode. Defaults to the API key's mode, or to `live` for a user",
  }),
  style: exportStyle,
})

const tenantStatementInput = tenantPath.extend({
  ...statementInput.shape,
  mode: z.enum(modes).optional().meta({ description: 'Payment mode. Defaults to `live`' }),
})

export const feeReportRouter = router({
  report: userProcedure({ permission: 'finance' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/reports/fees',
        operationId: 'reportFees',
        tags: ['Fees'],
        summary: 'Get a fee report',
        description:
          'Returns the number and the totals of the fees charged in a period, grouped by `group_by`. Returned fees are deducted. The Owner sees the fees of all tenants, a Partner those of its Clients, and a Client only its own. Send `Accept: text/csv` to get the report as CSV, or `Accept: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet` to get an Excel workbook.',
      },
      sheet: ({ group_by, mode }) => feeReportSheet(withMode(feeGroupList.parse(group_by ?? ''), mode)),
    })
    .input(
      z.object({
        from: day.optional().meta({
          description: `First day of the period (inclusive), in Asia/Jakarta. If omitted, the period has ${DEFAULT_DAYS} days and ends on the day \`to\``,
          example: '2026-11-01',
        }),
        to: day.optional().meta({
          description: 'Last day of the period (inclusive), in Asia/Jakarta. Defaults to today',
          example: '2026-11-30',
        }),
        group_by: z
          .string()
          .meta({ pattern: `^(?:${oneGroup}(?:,${oneGroup})*)?$` })
          .optional()
          .meta({
            description: `Comma-separated fields to group by: ${feeGroups.join(', ')}. If omitted, the report has one row with the totals`,
            example: 'day,channel',
          }),
        mode: userModeFilter('fees', ', grouped by mode'),
        style: exportStyle,
      }),
    )
    .output(feeReportView)
    .query(({ ctx, input }) => {
      const { to = dayOf(ctx.app.clock()) } = input
      const period = periodOfDays(input.from ?? daysBefore(to, DEFAULT_DAYS - 1), to)
      if (daysOf(period) < 1) throw fault('period_ends_before_start', {}, { field: 'to' })
      if (daysOf(period) > MAX_DAYS) throw fault('period_too_long', { days: MAX_DAYS }, { field: 'to' })
      const parsed = feeGroupList.safeParse(input.group_by ?? '')
      if (!parsed.success) throw fault('groups_unknown', { values: [...feeGroups] }, { field: 'group_by' })
      const scope = {
        viewer: ctx.caller.role === 'owner' ? null : ctx.caller.tenantId,
        mode: chosenMode(ctx.caller, input.mode),
      }
      const seesParts = ctx.caller.role !== 'client'
      return withReportSlot(ctx.caller.tenantId, () =>
        reportFees(ctx.app, scope, period, withMode(parsed.data, input.mode), seesParts),
      )
    }),

  ownStatement: tenantProcedure({ permission: 'finance', scope: 'reports' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/fee-statement',
        operationId: 'getOwnFeeStatement',
        tags: ['Fees'],
        summary: 'Get your monthly fee statement',
        description:
          "Returns the fees charged for your payments in a month, by method and channel. Each fee is split into the amount before tax (DPP) and the tax (PPN). A Partner's statement also contains its margins by Client, method and channel, and compares them with the credits in its ledger. Send `Accept: text/csv` to get the `items` as CSV, or `Accept: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet` to get them as an Excel workbook. A Partner's file has additional columns and also contains its margins.",
      },
      sheet: (_, statement) => statementSheet(feeStatementView.parse(statement)),
    })
    .input(statementInput)
    .output(feeStatementView)
    .query(async ({ ctx, input }) => {
      const mode = chosenSingleMode(ctx.caller, input.mode)
      const { tenantId } = ctx.caller
      const tenant = await getVisibleTenant(ctx.app, { tenantId, role: ctx.caller.role }, tenantId)
      return withReportSlot(tenantId, () => stateFees(ctx.app, tenant, mode, input.month))
    }),

  statementOfTenant: userProcedure({ permission: 'finance', roles: ['owner', 'partner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/tenants/{tenant_id}/fee-statement',
        operationId: 'getTenantFeeStatement',
        tags: ['Fees'],
        summary: "Get a tenant's monthly fee statement",
        description:
          "Returns the fees charged for the tenant's payments in a month, by method and channel. Each fee is split into the amount before tax (DPP) and the tax (PPN). A Partner's statement also contains its margins by Client, method and channel, and compares them with the credits in its ledger. Send `Accept: text/csv` to get the `items` as CSV, or `Accept: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet` to get them as an Excel workbook. A Partner's file has additional columns and also contains its margins.",
      },
      sheet: (_, statement) => statementSheet(feeStatementView.parse(statement)),
      errors: ['NOT_FOUND'],
    })
    .input(tenantStatementInput)
    .output(feeStatementView)
    .query(async ({ ctx, input }) => {
      const tenant = await getVisibleTenant(ctx.app, ctx.caller, input.tenant_id)
      return withReportSlot(ctx.caller.tenantId, () =>
        stateFees(ctx.app, tenant, input.mode ?? 'live', input.month),
      )
    }),
})

/**
 * If the request covers both modes (live and test), the report has separate totals for each mode. Test fees are
 * therefore never added to live fees.
 */
const withMode = (grouping: FeeGroup[], mode: unknown): FeeGroup[] =>
  mode === 'all' && !grouping.includes('mode') ? [...grouping, 'mode'] : grouping
