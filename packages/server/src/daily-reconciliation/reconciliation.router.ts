import { z } from 'zod'
import { chosenMode, chosenModeOrId, modeOrIdFilter, userModeFilter } from '../api/chosen-mode.ts'
import { longListInput, longListOf, totalOf } from '../api/long-list.ts'
import { startOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { nothing } from '../db/count-rows.ts'
import { paymentFilter } from '../payments/payment-id-input.ts'
import { idOfPayment } from '../payments/read/payment-list.sql.ts'
import { closeDifference } from './close-difference.ts'
import { closeDifferenceInput } from './close-input.ts'
import { countDifferences, listDifferences } from './difference.sql.ts'
import { runView, storedDifferenceView, viewRun, viewStoredDifference } from './reconciliation-view.ts'
import { countRuns, listRuns } from './run.sql.ts'

export const reconciliationRouter = router({
  listRuns: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/reconciliation-runs',
        operationId: 'listReconciliationRuns',
        tags: ['Exceptions'],
        summary: 'List daily reconciliations',
        description:
          "Lists the daily reconciliation's runs, newest first by default. Every morning, the service reconciles the previous day: one run for live payments and one for test payments. A run shows how many payments were compared with which data, and which provider accounts could not be checked.",
      },
    })
    .input(longListInput.extend({ mode: userModeFilter('runs') }))
    .output(longListOf(runView, 'ReconciliationRunPage'))
    .query(async ({ ctx, input }) => {
      const mode = chosenMode(ctx.caller, input.mode)
      const rows = await listRuns(ctx.app.db, mode, startOf(input), input.limit + 1)
      return {
        ...toPage(rows, input, viewRun),
        ...(await totalOf(input, () => countRuns(ctx.app.db, mode))),
      }
    }),

  listDifferences: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/reconciliation-differences',
        operationId: 'listReconciliationDifferences',
        tags: ['Exceptions'],
        summary: 'List differences found by daily reconciliation',
        description:
          'Lists the differences found by daily reconciliation, newest first by default. A difference is listed once, even if several runs find it. A difference stays open until a later run no longer finds it, or until the Owner closes it with a reason.',
      },
    })
    .input(
      longListInput.extend({
        status: z
          .enum(['open', 'closed'])
          .default('open')
          .meta({ description: 'Only reconciliation differences with this status' }),
        mode: modeOrIdFilter('differences', '`payment_id`'),
        payment_id: paymentFilter('differences of'),
      }),
    )
    .output(longListOf(storedDifferenceView, 'KeptDifferencePage'))
    .query(async ({ ctx, input }) => {
      const paymentId =
        input.payment_id === undefined ? null : await idOfPayment(ctx.app.db, input.payment_id)
      if (paymentId === undefined)
        return { items: [], next_cursor: null, ...(await totalOf(input, async () => nothing)) }
      const filter = {
        isOpen: input.status === 'open',
        mode: chosenModeOrId(ctx.caller, input.mode, input.payment_id),
        paymentId,
      }
      const rows = await listDifferences(ctx.app.db, filter, startOf(input), input.limit + 1)
      return {
        ...toPage(rows, input, viewStoredDifference),
        ...(await totalOf(input, () => countDifferences(ctx.app.db, filter))),
      }
    }),

  closeDifference: userProcedure({ permission: 'finance', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/reconciliation-differences/{id}/close',
        operationId: 'closeReconciliationDifference',
        tags: ['Exceptions'],
        summary: 'Close a difference',
        description:
          "Closes a reconciliation difference whose cause is known, so that later runs do not find the difference again. No balance changes. The difference stays closed until the payment, the ledger or the provider's data changes.",
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(
      z
        .object({
          id: z
            .string()
            .meta({ description: 'UUID of the difference', example: '01990000-0000-7000-8000-000000000031' }),
        })
        .extend(closeDifferenceInput.shape),
    )
    .output(storedDifferenceView)
    .mutation(async ({ ctx, input: { id, reason } }) =>
      viewStoredDifference(await closeDifference(ctx.app, ctx.caller, id, reason)),
    ),
})
