import { z } from 'zod'
import { chosenMode, userModeFilter } from '../api/chosen-mode.ts'
import { badCursor, pageInput, pageOf } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { resolveUnknownPaymentInput } from './decision-input.ts'
import { inquireUnknownPayment } from './inquire-unknown-payment.ts'
import { resolveUnknownPayment } from './resolve-unknown-payment.ts'
import {
  paymentOutcomeView,
  unknownPaymentView,
  viewOutcome,
  viewUnknownPayment,
} from './unknown-payment-view.ts'
import { parseCursor, waitingPage } from './waiting-list-cursor.ts'
import { listUnknownPayments } from './waiting-payment.sql.ts'

/** The path parameter with a payment's ID or payment code. It is not validated, so an invalid ID returns 404. */
const paymentId = z.object({
  payment_id: z.string().meta({
    description: 'Payment UUID or payment code',
    example: '01990000-0000-7000-8000-000000000001',
  }),
})

export const unknownPaymentRouter = router({
  list: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/unknown-payments',
        operationId: 'listUnknownPayments',
        tags: ['Exceptions'],
        summary: 'List charges with an unknown outcome',
        description:
          "Lists all tenants' charges whose outcome at the provider is unknown. The charge that has waited longest comes first. The service polls the provider after 5 seconds, 15 seconds, 1 minute and 5 minutes, and then every hour for 72 hours. After that, an operator must check the charge at the provider and resolve it.",
      },
    })
    .input(pageInput.extend({ mode: userModeFilter('charges') }))
    .output(pageOf(unknownPaymentView, 'UnknownPaymentPage'))
    .query(async ({ ctx, input: { limit, cursor, mode } }) => {
      const after = cursor === undefined ? undefined : parseCursor(cursor)
      if (cursor !== undefined && !after) throw badCursor()
      return waitingPage(
        await listUnknownPayments(ctx.app.db, chosenMode(ctx.caller, mode), after, limit + 1),
        limit,
        viewUnknownPayment,
      )
    }),

  inquire: userProcedure({ permission: ['finance', 'support'], roles: ['owner'] })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/unknown-payments/{payment_id}/inquire',
        operationId: 'inquireUnknownPayment',
        tags: ['Exceptions'],
        summary: 'Poll the provider about a charge with an unknown outcome',
        description:
          'Makes a status inquiry at the provider now, instead of waiting for the next scheduled inquiry, and returns the outcome of the charge. The request is safe to retry.',
      },
      storesResponseLater: 'calls a provider',
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(paymentId)
    .output(paymentOutcomeView)
    .mutation(async ({ ctx, input }) =>
      viewOutcome(await inquireUnknownPayment(ctx.app, ctx.caller, input.payment_id)),
    ),

  resolve: userProcedure({ permission: 'finance', roles: ['owner'], stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/unknown-payments/{payment_id}/resolve',
        operationId: 'resolveUnknownPayment',
        tags: ['Exceptions'],
        summary: 'Resolve a charge with an unknown outcome',
        description:
          'Records the outcome of a charge, as an operator found it at the provider. `not_created` means that the charge does not exist at the provider, so a retry with the same idempotency key charges again. Use `not_created` only if you are certain: if the charge does exist, the payer could be charged twice.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(paymentId.extend(resolveUnknownPaymentInput.shape))
    .output(paymentOutcomeView)
    .mutation(async ({ ctx, input }) =>
      viewOutcome(await resolveUnknownPayment(ctx.app, ctx.caller, input.payment_id, input.reason)),
    ),
})
