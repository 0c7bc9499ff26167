import { z } from 'zod'
import { badCursor, pageInput, pageOf } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { isId } from '../id.ts'
import type { Payment } from '../payments/payment.ts'
import { resolveUnknownPaymentInput } from './decision-input.ts'
import { inquireUnknownPayment } from './inquire-unknown-payment.ts'
import { resolveUnknownPayment } from './resolve-unknown-payment.ts'
import { listUnknownPayments, type Place } from './unknown-payment-list.sql.ts'
import {
  paymentOutcomeView,
  unknownPaymentView,
  viewOutcome,
  viewUnknownPayment,
} from './unknown-payment-view.ts'

/** No UUID check here: an id that is none is a payment that does not exist, 404. */
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
      const rows = await listUnknownPayments(ctx.app.db, after, limit + 1)
      const page = rows.slice(0, limit)
      const last = rows.length > limit ? page.at(-1) : undefined
      return { items: page.map(viewUnknownPayment), next_cursor: last ? cursorAt(last) : null }
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

/** This list is in the order of time and not of ids, so its cursor names all that it is ordered by. */
const cursorAt = ({ updatedAt, tenantId, id }: Payment): string =>
  Buffer.from(`${updatedAt.toISOString()} ${tenantId} ${id}`, 'latin1').toString('base64url')

const isoTime = z.iso.datetime()

/** Throws BAD_REQUEST. */
function placeOf(cursor: string): Place {
  const [since = '', tenantId = '', id = ''] = Buffer.from(cursor, 'base64url').toString('latin1').split(' ')
  if (!isoTime.safeParse(since).success || !isId(tenantId) || !isId(id)) throw badCursor()
  return { since: new Date(since), tenantId, id }
}
