import { z } from 'zod'
import { chosenMode, chosenModeOrId, modeFilter, modeOrIdFilter } from '../api/chosen-mode.ts'
import { afterId, pageInput, pageOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { paymentFilter } from '../payments/payment-id-input.ts'
import { idOfPayment } from '../payments/read/payment-list.sql.ts'
import { closeDifference } from './close-difference.ts'
import { closeDifferenceInput } from './close-input.ts'
import { listDifferences } from './difference.sql.ts'
import { runView, storedDifferenceView, viewRun, viewStoredDifference } from './reconciliation-view.ts'
import { listRuns } from './run.sql.ts'

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
          'Lists the runs of the daily reconciliation, newest first. Every morning, the service reconciles the previous day, separately for live and test payments. Each run shows how many payments were compared with which data, and which provider accounts could not be checked.',
      },
    })
    .input(pageInput.extend({ mode: modeFilter('runs') }))
    .output(pageOf(runView, 'ReconciliationRunPage'))
    .query(async ({ ctx, input }) =>
      toPage(
        await listRuns(ctx.app.db, chosenMode(ctx.caller, input.mode), afterId(input), input.limit + 1),
        input,
        viewRun,
      ),
    ),

  listDifferences: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/reconciliation-differences',
        operationId: 'listReconciliationDifferences',
        tags: ['Exceptions'],
        summary: 'List differences found by daily reconciliation',
        description:
          'Lists the differences found by daily reconciliation, newest first. A difference is listed once, even if several runs find it. A difference stays open until a later run no longer finds it, or until the Owner closes it with a reason.',
      },
    })
    .input(
      pageInput.extend({
        status: z
          .enum(['open', 'closed'])
          .default('open')
          .meta({ description: 'Only differences with this status' }),
        mode: modeOrIdFilter('differences', '`payment_id`'),
        payment_id: paymentFilter('differences of'),
      }),
    )
    .output(pageOf(storedDifferenceView, 'KeptDifferencePage'))
    .query(async ({ ctx, input }) => {
      const paymentId =
        input.payment_id === undefined ? null : await idOfPayment(ctx.app.db, input.payment_id)
      if (paymentId === undefined) return { items: [], next_cursor: null }
      const filter = {
        isOpen: input.status === 'open',
        mode: chosenModeOrId(ctx.caller, input.mode, input.payment_id),
        paymentId,
      }
      const rows = await listDifferences(ctx.app.db, filter, afterId(input), input.limit + 1)
      return toPage(rows, input, viewStoredDifference)
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
          'Closes a reconciliation difference whose cause is known, but which every later run would find again. No balance changes. The difference stays closed until the data of the payment, the ledger or the provider changes.',
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
