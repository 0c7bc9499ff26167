import { z } from 'zod'
import { badCursor, pageInput, pageOf } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { resolveUnknownPaymentInput } from './decision-input.ts'
import { inquireUnknownPayment } from './inquire-unknown-payment.ts'
import { pageOfWaiting, placeOf } from './place.ts'
import { resolveUnknownPayment } from './resolve-unknown-payment.ts'
import {
  paymentOutcomeView,
  unknownPaymentView,
  viewOutcome,
  viewUnknownPayment,
} from './unknown-payment-view.ts'
import { listUnknownPayments } from './waiting-payment.sql.ts'

/** The id is not validated as a UUID: an invalid id returns 404, like any payment that does not exist. */
const paymentId = z.object({
  payment_id: z
    .string()
    .meta({ description: 'UUID of the payment', example: '01990000-0000-7000-8000-000000000001' }),
})

export const unknownPaymentRouter = router({
  list: userProcedure('owner')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/unknown-payments',
        operationId: 'listUnknownPayments',
        tags: ['Exceptions'],
        summary: 'List charges of unknown outcome',
        description:
          'Of all tenants, those that wait longest first. The provider is asked after 5 s, 15 s, a minute and 5 minutes, then hourly for 72 hours; after that they wait here for an operator, who looks at the provider and resolves them.',
      },
    })
    .input(pageInput)
    .output(pageOf(unknownPaymentView, 'UnknownPaymentPage'))
    .query(async ({ ctx, input: { limit, cursor } }) => {
      const after = cursor === undefined ? undefined : placeOf(cursor)
      if (cursor !== undefined && !after) throw badCursor()
      return pageOfWaiting(await listUnknownPayments(ctx.app.db, after, limit + 1), limit, viewUnknownPayment)
    }),

  inquire: userProcedure('owner')
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/unknown-payments/{payment_id}/inquire',
        operationId: 'inquireUnknownPayment',
        tags: ['Exceptions'],
        summary: 'Ask the provider about a charge of unknown outcome',
        description: 'Now, whenever it was asked last. Answers what came of it. It can be repeated.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(paymentId)
    .output(paymentOutcomeView)
    .mutation(async ({ ctx, input }) =>
      viewOutcome(await inquireUnknownPayment(ctx.app, ctx.caller, input.payment_id)),
    ),

  resolve: userProcedure('owner')
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/unknown-payments/{payment_id}/resolve',
        operationId: 'resolveUnknownPayment',
        tags: ['Exceptions'],
        summary: 'Settle a charge of unknown outcome',
        description:
          'For an operator who looked it up at the provider. `not_created`: the provider has nothing of it, so the same idempotency key charges again. Say so only when it is certain: what the provider did take would then be charged twice.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(paymentId.extend(resolveUnknownPaymentInput.shape))
    .output(paymentOutcomeView)
    .mutation(async ({ ctx, input }) =>
      viewOutcome(await resolveUnknownPayment(ctx.app, ctx.caller, input.payment_id, input.reason)),
    ),
})
