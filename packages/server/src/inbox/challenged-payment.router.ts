import { chosenMode, userModeFilter } from '../api/chosen-mode.ts'
import { badCursor, pageInput, pageOf } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { auditTenantsList } from '../support/audit-tenants-list.ts'
import { challengedPaymentView, viewChallengedPayment } from './challenged-payment-view.ts'
import { parseCursor, waitingPage } from './waiting-list-cursor.ts'
import { listChallengedPayments } from './waiting-payment.sql.ts'

export const challengedPaymentRouter = router({
  list: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/challenged-payments',
        operationId: 'listChallengedPayments',
        tags: ['Exceptions'],
        summary: 'List challenged payments',
        description:
          "Lists all tenants' payments that a provider holds on suspicion of fraud. The payment that has waited longest comes first. Accept or reject a payment with `POST /v1/payments/{payment_id}/resolve`. A payment also leaves the list when the provider releases it, when its money is received, or when the merchant cancels it. Partly paid payments are listed as unexpected money instead. The audit log records whose payments were listed, and by whom.",
      },
    })
    .input(pageInput.extend({ mode: userModeFilter('payments') }))
    .output(pageOf(challengedPaymentView, 'ChallengedPaymentPage'))
    .query(async ({ ctx, input: { limit, cursor, mode } }) => {
      const after = cursor === undefined ? undefined : parseCursor(cursor)
      if (cursor !== undefined && !after) throw badCursor()
      const rows = await listChallengedPayments(ctx.app.db, chosenMode(ctx.caller, mode), after, limit + 1)
      const filters = { mode: mode ?? 'live', status: 'challenged' }
      await auditTenantsList(ctx.app, ctx.caller, 'payment.list', rows.slice(0, limit), filters)
      return waitingPage(rows, limit, viewChallengedPayment)
    }),
})
