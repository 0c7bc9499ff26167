import { badCursor, pageInput, pageOf } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { challengedPaymentView, viewChallengedPayment } from './challenged-payment-view.ts'
import { pageOfWaiting, placeOf } from './place.ts'
import { listChallengedPayments } from './waiting-payment.sql.ts'

export const challengedPaymentRouter = router({
  list: userProcedure('owner')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/challenged-payments',
        operationId: 'listChallengedPayments',
        tags: ['Exceptions'],
        summary: 'List challenged payments',
        description:
          'Of all tenants, those that wait longest first: the provider suspects fraud, or less than the amount arrived. `POST /v1/payments/{payment_id}/resolve` decides on one. It is no longer here once the provider releases it, the rest of the money arrives, or its merchant cancels it.',
      },
    })
    .input(pageInput)
    .output(pageOf(challengedPaymentView, 'ChallengedPaymentPage'))
    .query(async ({ ctx, input: { limit, cursor } }) => {
      const after = cursor === undefined ? undefined : placeOf(cursor)
      if (cursor !== undefined && !after) throw badCursor()
      return pageOfWaiting(
        await listChallengedPayments(ctx.app.db, after, limit + 1),
        limit,
        viewChallengedPayment,
      )
    }),
})
