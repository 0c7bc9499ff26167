import { z } from 'zod'
import { afterId, pageInput, pageOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { modes } from '../mode.ts'
import { closeDifference } from './close-difference.ts'
import { closeDifferenceInput } from './close-input.ts'
import { listDifferences } from './difference.sql.ts'
import { keptDifferenceView, runView, viewKeptDifference, viewRun } from './reconciliation-view.ts'
import { listRuns } from './run.sql.ts'

const mode = z.enum(modes).optional().meta({ description: 'Only those of this mode; both without it' })

export const reconciliationRouter = router({
  listRuns: userProcedure('owner')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/reconciliation-runs',
        operationId: 'listReconciliationRuns',
        tags: ['Exceptions'],
        summary: 'List daily reconciliations',
        description:
          'Each morning the service reconciles the day before by itself, live and test payments apart. Here is what it compared and which accounts it could not check, newest first.',
      },
    })
    .input(pageInput.extend({ mode }))
    .output(pageOf(runView, 'ReconciliationRunPage'))
    .query(async ({ ctx, input }) =>
      toPage(await listRuns(ctx.app.db, input.mode ?? null, afterId(input), input.limit + 1), input, viewRun),
    ),

  listDifferences: userProcedure('owner')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/reconciliation-differences',
        operationId: 'listReconciliationDifferences',
        tags: ['Exceptions'],
        summary: 'List differences that daily reconciliations found',
        description:
          'Newest first. A difference is listed once, however often it is found. It stays open until a later run finds that the books agree, or the Owner closes it with a reason.',
      },
    })
    .input(
      pageInput.extend({
        status: z
          .enum(['open', 'closed'])
          .default('open')
          .meta({ description: 'Only differences with this status' }),
        mode,
        payment_id: z.uuid().optional().meta({ description: 'Only differences of this payment' }),
      }),
    )
    .output(pageOf(keptDifferenceView, 'KeptDifferencePage'))
    .query(async ({ ctx, input }) => {
      const filter = {
        isOpen: input.status === 'open',
        mode: input.mode ?? null,
        paymentId: input.payment_id ?? null,
      }
      const rows = await listDifferences(ctx.app.db, filter, afterId(input), input.limit + 1)
      return toPage(rows, input, viewKeptDifference)
    }),

  closeDifference: userProcedure('owner')
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/reconciliation-differences/{id}/close',
        operationId: 'closeReconciliationDifference',
        tags: ['Exceptions'],
        summary: 'Close a difference',
        description:
          'For a difference that is accounted for and that no run will find balanced. No balance changes. It stays closed until the payment, the ledger or the provider says something else than now.',
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
    .output(keptDifferenceView)
    .mutation(async ({ ctx, input: { id, reason } }) =>
      viewKeptDifference(await closeDifference(ctx.app, ctx.caller, id, reason)),
    ),
})
