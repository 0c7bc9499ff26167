import { z } from 'zod'
import { chosenMode, userModeFilter } from '../api/chosen-mode.ts'
import type { Context, UserCaller } from '../api/context.ts'
import { exportStyle } from '../api/export-style.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { fault } from '../faults/fault.ts'
import { day, dayOf, daysBefore, daysOf, type Period, periodOfDays } from '../values/day.ts'
import { type Mode, modes } from '../values/mode.ts'
import { bookTotalsView, reportBooks } from './book-totals.ts'
import { type Group, groupList, groups, MAX_DAYS, reportSheet, reportView } from './payment-report.ts'
import { type ReconciliationRequest, reconcileOnRequest } from './reconcile-on-request.ts'
import {
  type DifferenceView,
  differenceColumns,
  MAX_DIFFERENCES,
  reconciliationLine,
  reconciliationSources,
  reconciliationView,
} from './reconciliation-report.ts'
import type { ReportScope } from './report.sql.ts'
import { reportPayments } from './report-payments.ts'
import { withReportSlot } from './report-slots.ts'

const DEFAULT_DAYS = 30

const oneGroup = `(?:${groups.join('|')})`

export const reportRouter = router({
  payments: userProcedure({ permission: 'viewer' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/reports/payments',
        operationId: 'reportPayments',
        tags: ['Reports'],
        summary: 'Get a payment report',
        description:
          'Returns the number and total amounts of the payments created in a period, grouped by `group_by`. For the Owner, the report covers all tenants; for a Partner, its Clients; and for a Client, only itself. For CSV, send `Accept: text/csv`. For an Excel workbook, send `Accept: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet`.',
      },
      sheet: ({ group_by, mode }, report) =>
        reportSheet(withMode(groupList.parse(group_by ?? ''), mode), reportView.parse(report)),
    })
    .input(
      z.object({
        from: day.optional().meta({
          description: `First day of the period (inclusive), in Asia/Jakarta. If omitted, the period is the ${DEFAULT_DAYS} days up to \`to\``,
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
            description: `Comma-separated fields to group by: ${groups.join(', ')}. If omitted, the report has a single row with the totals`,
            example: 'day,status',
          }),
        mode: userModeFilter('payments', ', grouped by mode'),
        style: exportStyle,
      }),
    )
    .output(reportView)
    .query(({ ctx, input }) => {
      const { to = dayOf(ctx.app.clock()) } = input
      const from = input.from ?? daysBefore(to, DEFAULT_DAYS - 1)
      const period = periodOf(from, to)
      const grouping = withMode(groupingOf(input.group_by), input.mode)
      const scope = reportScopeOf(ctx.caller, input.mode)
      return withReportSlot(ctx.caller.tenantId, () => reportPayments(ctx.app, scope, period, grouping))
    }),

  reconciliation: userProcedure({ permission: 'finance' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/reports/reconciliation',
        operationId: 'reportReconciliation',
        tags: ['Reports'],
        summary: "Reconcile a day's payments",
        description:
          "Compares the payments of one day with the ledger and with the providers' data. A provider's data is its uploaded settlement. If no settlement was uploaded and the caller is the Owner, the service makes a status inquiry for each payment. For the Owner, the comparison covers all tenants; for a Partner, its Clients; and for a Client, only itself.\n\nKinds of differences:\n\n- `missing_here`: the ledger or the provider has money for a payment that is not paid in this service.\n- `missing_there`: the payment is paid in this service, but not in the ledger or not at the provider.\n- `amount`: the payment's amounts differ.\n- `status`: the payment's statuses differ.\n- `duplicate`: a payment is settled more than once.\n\nSend `Accept: application/x-ndjson` to stream the result with progress. Use NDJSON for days with many status inquiries, for which a JSON response could time out. Send `Accept: text/csv` to get only the differences, as CSV.",
      },
      lines: {
        schema: reconciliationLine,
        csv: { type: 'difference', columns: differenceColumns },
      },
    })
    .input(
      z.object({
        date: day.optional().meta({
          description: 'The day to reconcile (inclusive), in Asia/Jakarta. The default is today',
          example: '2026-11-20',
        }),
        mode: userModeFilter(
          'payments',
          '; `items` and `by_mode` are then split by mode, and each difference states its mode',
        ),
        source: z.enum(reconciliationSources).default('auto').meta({
          description:
            "Source of the provider data. `auto`: each provider account's settlement, or status inquiries for an account without a settlement. `settlement`: only settlements. `inquiry`: only status inquiries. `books`: no provider data; payments are compared with the ledger only. Only the Owner can make status inquiries; for other users, `auto` uses settlements only",
        }),
      }),
    )
    .output(reconciliationView)
    .query(({ ctx, input: { source, date = dayOf(ctx.app.clock()), mode } }) => {
      const isOwner = ctx.caller.role === 'owner'
      if (source === 'inquiry' && !isOwner) throw fault('reconciliation_for_owner')
      const period = periodOfDays(date, date)
      return withReportSlot(ctx.caller.tenantId, () =>
        reconcile(ctx, { ...reportScopeOf(ctx.caller, mode), date, period, source, isOwner }),
      )
    }),

  books: userProcedure({ permission: 'finance', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/reports/books',
        operationId: 'reportBooks',
        tags: ['Reports'],
        summary: 'Get the totals of the books of all tenants',
        description:
          "Returns each account's total over all tenants' books in one mode: what each provider account owes, the operator's and Partners' fees, money in transit, and the merchants' balances. A book consists of one tenant's double-entry accounts, which must sum to zero. The fields `sum`, `unbalanced_books` and `balanced` show whether all books sum to zero. Only the Owner may use this operation.",
      },
    })
    .input(
      z.object({
        mode: z.enum(modes).default('live').meta({
          description:
            'Returns only amounts in this mode. Amounts in live mode and in test mode are never added together',
          example: 'live',
        }),
      }),
    )
    .output(bookTotalsView)
    .query(({ ctx: { app, caller }, input: { mode } }) =>
      withReportSlot(caller.tenantId, () => reportBooks(app, mode)),
    ),
})

/**
 * Runs a reconciliation. If the client accepts a stream, the result is streamed line by line. Otherwise, the lines
 * are collected into a single response.
 */
async function reconcile(
  { app, writeLine }: Pick<Context, 'app' | 'writeLine'>,
  question: ReconciliationRequest,
): Promise<z.output<typeof reconciliationView>> {
  const differences: DifferenceView[] = []
  let found = 0
  for await (const line of reconcileOnRequest(app, question)) {
    await writeLine?.(line)
    if (line.type === 'difference') {
      const { type, ...difference } = line
      found += 1
      if (found <= MAX_DIFFERENCES) differences.push(difference)
    }
    if (line.type === 'summary') {
      const { type, ...summary } = line
      return { ...summary, differences, truncated: found > differences.length }
    }
  }
  throw new Error('the response of the reconciliation ended before its summary')
}

const reportScopeOf = (caller: UserCaller, mode: Mode | 'all' | undefined): ReportScope => ({
  viewer: caller.role === 'owner' ? null : caller.tenantId,
  mode: chosenMode(caller, mode),
})

function periodOf(from: string, to: string): Period {
  const period = periodOfDays(from, to)
  const days = daysOf(period)
  if (days < 1) throw fault('period_ends_before_start', {}, { field: 'to' })
  if (days > MAX_DAYS) throw fault('period_too_long', { days: MAX_DAYS }, { field: 'to' })
  return period
}

/**
 * If both modes are requested, the totals are also grouped by mode, so that test payments are never added to live
 * payments.
 */
const withMode = (grouping: Group[], mode: unknown): Group[] =>
  mode === 'all' && !grouping.includes('mode') ? [...grouping, 'mode'] : grouping

function groupingOf(names: string | undefined): Group[] {
  const parsed = groupList.safeParse(names ?? '')
  if (!parsed.success) throw fault('groups_unknown', { values: [...groups] }, { field: 'group_by' })
  return parsed.data
}
