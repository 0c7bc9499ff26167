import { z } from 'zod'
import type { UserCaller } from '../api/context.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { day, dayOf, daysBefore, daysOf, type Period, periodOfDays } from '../day.ts'
import { GatewayError } from '../errors.ts'
import { type Mode, modes } from '../mode.ts'
import { type Group, groupList, groups, MAX_DAYS, reportColumns, reportView } from './payment-report.ts'
import { MAX_DIFFERENCES, reconciliationView, viewReconciliation } from './reconciliation.ts'
import { listDifferences, type Scope, sumBooks } from './report.sql.ts'
import { reportPayments } from './report-payments.ts'

const mode = z.enum(modes).optional().meta({ description: 'Both without it' })

const DEFAULT_DAYS = 30

export const reportRouter = router({
  payments: userProcedure()
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/reports/payments',
        operationId: 'reportPayments',
        tags: ['Reports'],
        summary: 'Figures over payments',
        description:
          'Number and sums of the payments created in a period, by what they are grouped by. The Owner sees all tenants, a Partner its Clients, a Client itself. `Accept: text/csv` gets the same as CSV.',
      },
      csv: ({ group_by }) => reportColumns(groupList.parse(group_by ?? '')),
    })
    .input(
      z.object({
        from: day.optional().meta({
          description: `First day, of Asia/Jakarta; ${DEFAULT_DAYS} days up to \`to\` without it`,
          example: '2026-11-01',
        }),
        to: day
          .optional()
          .meta({ description: 'Last day, included; today without it', example: '2026-11-30' }),
        group_by: z
          .string()
          .optional()
          .meta({ description: `Any of ${groups.join(', ')}, with commas between`, example: 'day,status' }),
        mode,
      }),
    )
    .output(reportView)
    .query(({ ctx, input }) => {
      const { to = dayOf(ctx.app.clock()) } = input
      const from = input.from ?? daysBefore(to, DEFAULT_DAYS - 1)
      return reportPayments(
        ctx.app,
        scopeOf(ctx.caller, input.mode),
        periodOf(from, to),
        groupingOf(input.group_by),
      )
    }),

  reconciliation: userProcedure()
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/reports/reconciliation',
        operationId: 'reportReconciliation',
        tags: ['Reports'],
        summary: "Compare a day's payments with the ledger",
        description:
          'Compares the payments paid on a day, and the credits posted on it, with each other: a payment without its credit, a credit without its payment, sums that differ. It holds our own books against each other only; the statements of the providers are not part of it yet.',
      },
    })
    .input(
      z.object({
        date: day
          .optional()
          .meta({ description: 'Of Asia/Jakarta; today without it', example: '2026-11-20' }),
        mode,
      }),
    )
    .output(reconciliationView)
    .query(async ({ ctx, input }) => {
      const { date = dayOf(ctx.app.clock()) } = input
      const scope = scopeOf(ctx.caller, input.mode)
      const period = periodOfDays(date, date)
      const [books, differences] = await Promise.all([
        sumBooks(ctx.app.db, scope, period),
        listDifferences(ctx.app.db, scope, period, MAX_DIFFERENCES),
      ])
      return viewReconciliation(date, books, differences)
    }),
})

const scopeOf = (caller: UserCaller, mode: Mode | undefined): Scope => ({
  viewer: caller.role === 'owner' ? null : caller.tenantId,
  mode: mode ?? null,
})

function periodOf(from: string, to: string): Period {
  const period = periodOfDays(from, to)
  const days = daysOf(period)
  if (days < 1) throw new GatewayError('BAD_REQUEST', 'to: must not be before from')
  if (days > MAX_DAYS) throw new GatewayError('BAD_REQUEST', `to: must be at most ${MAX_DAYS} days from from`)
  return period
}

function groupingOf(names: string | undefined): Group[] {
  const parsed = groupList.safeParse(names ?? '')
  if (!parsed.success) throw new GatewayError('BAD_REQUEST', `group_by: ${parsed.error.issues[0]?.message}`)
  return parsed.data
}
