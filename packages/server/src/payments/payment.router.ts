import { z } from 'zod'
import { type Caller, type Context, modeOf } from '../api/context.ts'
import { afterId, pageInput, pageOf, pageWith } from '../api/page.ts'
import { keyProcedure, router, tenantProcedure, userProcedure } from '../api/trpc.ts'
import { moment, periodBetween } from '../day.ts'
import type { Db } from '../db/db.ts'
import { GatewayError, paymentNotFound } from '../errors.ts'
import { isId } from '../id.ts'
import { ofTenant } from '../large-reads.ts'
import { listEntriesOfPayment } from '../ledger/ledger.sql.ts'
import { ledgerEntryView, viewLedgerEntry } from '../ledger/ledger-view.ts'
import { addLogFields } from '../log.ts'
import { type Mode, modes } from '../mode.ts'
import { knownProvider } from '../providers/known-provider.ts'
import { text } from '../text.ts'
import { listAttempts } from './attempt.sql.ts'
import { attemptView, viewAttempt } from './attempt-view.ts'
import { cancelPayment } from './cancel-payment.ts'
import { createPaymentBody, createPaymentInput, idempotencyKey } from './create-input.ts'
import { createPayment } from './create-payment.ts'
import { exportPayments } from './export-payments.ts'
import { methodTypes } from './method.ts'
import { findPayment, findShownPayment } from './payment.sql.ts'
import { isShown, type ShownPayment, shownStatuses } from './payment.ts'
import { exportColumns, paymentLine, rowOf } from './payment-export.ts'
import { listTransitions, type PaymentFilter } from './payment-list.sql.ts'
import { paymentView, viewPayment } from './payment-view.ts'
import { readPage } from './read-page.ts'
import { resolvePaymentInput } from './resolve-input.ts'
import { resolvePayment } from './resolve-payment.ts'
import { timelineEntryView, timelineOf } from './timeline.ts'

/** The id is not validated as a UUID: an invalid id returns 404, like any payment that does not exist. */
const paymentId = z.object({
  payment_id: z
    .string()
    .meta({ description: 'UUID of the payment', example: '01990000-0000-7000-8000-000000000001' }),
})

const listInput = pageInput.extend({
  mode: z
    .enum(modes)
    .optional()
    .meta({ description: 'Only payments of this mode. An API key has its own; a user sees both without it' }),
  status: z.enum(shownStatuses).optional().meta({ description: 'Only payments with this status' }),
  method_type: z.enum(methodTypes).optional().meta({ description: 'Only payments by this method' }),
  provider: z
    .string()
    .optional()
    .meta({ description: 'Only payments of this provider: its exact code', example: 'midtrans' }),
  from: moment.optional().meta({
    description:
      'Only payments created at this time or later (inclusive): a day, from its beginning in Asia/Jakarta, or an ISO 8601 time with its zone',
    example: '2026-11-01',
  }),
  to: moment.optional().meta({
    description:
      'Only payments created at this time or earlier (inclusive): a day, to its end in Asia/Jakarta, or an ISO 8601 time with its zone',
    example: '2026-11-30',
  }),
  q: text().optional().meta({
    description:
      'Only payments that match: exactly an id, payment code, idempotency key or provider_payment_id; or the beginning of the name, e-mail address or phone number of the customer, in any casing',
    example: 'budi',
  }),
})

export const paymentRouter = router({
  create: keyProcedure('client')
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/payments/create',
        operationId: 'createPayment',
        tags: ['Payments'],
        summary: 'Create a payment',
        description:
          'Creates a payment and returns what the payer needs to pay it, in `method_data`. Only `method_type` and `method_detail` differ between methods; `GET /v1/active-methods` lists what your key can use. Then show the payer the instructions, and wait for the webhook `payment.paid` (or ask with `GET /v1/payments/{payment_id}`). Repeat a request whose answer was lost with the same `X-Idempotency-Key`: it answers with the same payment and `Idempotency-Replayed: true`, and charges nobody twice.',
      },
      errors: ['IDEMPOTENCY_CONFLICT', 'PROVIDER_ERROR'],
      idempotent: true,
      sessionKey: true,
      body: createPaymentBody,
    })
    .input(createPaymentInput)
    .output(paymentView)
    .mutation(async ({ ctx, input }) => {
      const key = idempotencyKey.safeParse(ctx.idempotencyKey)
      if (!key.success)
        throw new GatewayError(
          'BAD_REQUEST',
          'X-Idempotency-Key: is needed, 1 to 255 visible ASCII characters, one for each order',
        )
      const { payment, replayed } = await createPayment(ctx.app, ctx.caller, key.data, input)
      if (replayed) ctx.setHeader('Idempotency-Replayed', 'true')
      return viewPayment(payment)
    }),

  list: tenantProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments',
        operationId: 'listPayments',
        tags: ['Payments'],
        summary: 'List payments',
        description:
          'Your own, newest first; each filter narrows the list. A page ends at 512 KiB, too: where payments are large it holds fewer than `limit`, and only `next_cursor` tells whether there are more. For one payment whose id, payment code or idempotency key you know, `q` finds it. `Accept: text/csv` or `application/x-ndjson` gets all that meet the filters instead of a page, while they are read: `limit` and `cursor` are for JSON. As CSV each payment is a row for a spreadsheet, its sums in whole cents (`amount_cents`, `amount_paid_cents`), its times in UTC; text that begins like a formula has an apostrophe in front. NDJSON ends with a line `end`. What breaks off is no whole: CSV then breaks the connection. Two of these at a time.',
      },
      lines: { schema: paymentLine, csv: { type: 'payment', columns: exportColumns, rowOf } },
    })
    .input(listInput)
    .output(pageOf(paymentView, 'PaymentPage'))
    .query(async ({ ctx, input }) => {
      const filter = filterOf(ctx, input)
      const { inLines, writeLine } = ctx
      if (inLines && writeLine) {
        await exportPayments(ctx.app, filter, writeLine)
        return { items: [], next_cursor: null }
      }
      const after = afterId(input)
      const reader = { owner: ctx.caller.tenantId, whenTaken: ctx.whenTaken }
      const page = await ofTenant(reader, () => readPage(ctx.app.db, filter, after, input.limit))
      return pageWith(page.rows, page.hasMore, viewPayment)
    }),

  get: tenantProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments/{payment_id}',
        operationId: 'getPayment',
        tags: ['Payments'],
        summary: 'Get a payment',
        description:
          'The payment as it stands now. A webhook tells of every change as it happens; ask here when one has not arrived, or before you deliver something dear.',
      },
      errors: ['NOT_FOUND'],
      sessionKey: true,
    })
    .input(paymentId)
    .output(paymentView)
    .query(async ({ ctx, input }) => {
      const payment = await lookUp(ctx, input.payment_id, findShownPayment)
      const { tenantId, id: paymentId, status } = payment
      if (status === 'pending' || status === 'challenged')
        ctx.app.earlyChecks.noteRequest({ tenantId, paymentId })
      return viewPayment(payment)
    }),

  // Available over tRPC only, because these fields are not part of the fixed payment schema of the interface.
  standing: userProcedure('client')
    .input(paymentId)
    .output(
      z.strictObject({
        mode: z.enum(modes),
        /** When the provider took the payment's money back; null if it did not. */
        reversed_at: z.iso.datetime().nullable(),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { mode, reversedAt } = await lookUp(ctx, input.payment_id, findPayment)
      return { mode, reversed_at: reversedAt?.toISOString() ?? null }
    }),

  cancel: tenantProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/payments/{payment_id}/cancel',
        operationId: 'cancelPayment',
        tags: ['Payments'],
        summary: 'Cancel a payment',
        description:
          'Cancels a pending or challenged payment, which stops it being waited for; the webhook `payment.cancelled` follows. The provider is not told, so a virtual account may stay payable: money that arrives all the same makes the payment paid, and the webhook `payment.paid` says so. Of a payment that is over it is a 409 and changes nothing, so it can be repeated.',
      },
      errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    })
    .input(paymentId)
    .output(paymentView)
    .mutation(async ({ ctx, input }) => {
      if (!isId(input.payment_id)) throw paymentNotFound(input.payment_id)
      return viewPayment(
        await cancelPayment(ctx.app, ctx.caller.tenantId, input.payment_id, modeOf(ctx.caller)),
      )
    }),

  ledger: tenantProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments/{payment_id}/ledger',
        operationId: 'listPaymentLedger',
        tags: ['Payments'],
        summary: "List a payment's ledger entries",
        description:
          'What the payment did to your balance, in the order of posting; empty before it is paid. A payment that was taken back or given back has a debit after its credit.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentId)
    .output(z.array(ledgerEntryView))
    .query(async ({ ctx, input }) => {
      const payment = await lookUp(ctx, input.payment_id, findPayment)
      const entries = await listEntriesOfPayment(ctx.app.db, payment.tenantId, payment.id)
      return entries.map(viewLedgerEntry)
    }),

  timeline: tenantProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments/{payment_id}/timeline',
        operationId: 'listPaymentTimeline',
        tags: ['Payments'],
        summary: "List a payment's changes",
        description:
          'Every change of its status since it was created, in order, with who said so. For support, and to see why a payment is what it is.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentId)
    .output(z.array(timelineEntryView))
    .query(async ({ ctx, input }) => {
      const payment = await lookUp(ctx, input.payment_id, findPayment)
      return timelineOf(payment, await listTransitions(ctx.app.db, payment.tenantId, payment.id))
    }),

  attempts: tenantProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments/{payment_id}/attempts',
        operationId: 'listPaymentAttempts',
        tags: ['Payments'],
        summary: "List a payment's tries",
        description:
          'At which providers it was charged, in order, and what came of each. There is more than one where a provider was down or took nothing.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentId)
    .output(z.array(attemptView))
    .query(async ({ ctx, input }) => {
      const payment = await lookUp(ctx, input.payment_id, findPayment)
      return (await listAttempts(ctx.app.db, payment)).map(viewAttempt(payment))
    }),

  resolve: userProcedure('owner')
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/payments/{payment_id}/resolve',
        operationId: 'resolvePayment',
        tags: ['Exceptions'],
        summary: 'Resolve a challenged payment',
        description:
          'Decides on a challenged payment of any tenant. Accepting first asks the provider, and approves the payment there where its API can. The payment becomes paid if the provider confirms it; otherwise the answer is a 409, and `without_confirmation` credits it nevertheless. Where a part of the amount arrived, accepting credits that part. Rejecting denies the payment at the provider where its API can, and makes it failed. The merchant is notified by webhook. Repeating a decision is a 409.',
      },
      errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'CONFLICT'],
    })
    .input(paymentId.extend(resolvePaymentInput.shape))
    .output(paymentView)
    .mutation(async ({ ctx, input }) =>
      viewPayment(
        await resolvePayment(ctx.app, ctx.caller, input.payment_id, {
          decision: input.decision,
          reason: input.reason,
          withoutConfirmation: input.without_confirmation ?? false,
        }),
      ),
    ),
})

function filterOf(
  { app, caller }: Pick<Context, 'app'> & { caller: Caller },
  { mode, status, method_type, provider, from, to, q }: z.output<typeof listInput>,
): PaymentFilter {
  const own = modeOf(caller)
  if (own !== null && mode !== undefined && mode !== own)
    throw new GatewayError('FORBIDDEN', `a ${own} key cannot see ${mode} payments`)
  const wanted = knownProvider(app.providers, provider)
  const createdIn = periodBetween(from, to)
  if (createdIn.from >= createdIn.before) throw new GatewayError('BAD_REQUEST', 'to: must not be before from')
  const only = own ?? mode
  return {
    tenantId: caller.tenantId,
    modes: only ? [only] : modes,
    statuses: status ? [status] : shownStatuses,
    methodTypes: method_type ? [method_type] : methodTypes,
    providers: wanted ? [wanted] : [...app.providers.keys()],
    createdIn,
    search: q || undefined,
  }
}

async function lookUp<Found extends ShownPayment>(
  ctx: Pick<Context, 'app'> & { caller: Caller },
  id: string,
  find: (db: Db, tenantId: string, id: string, mode: Mode | null) => Promise<Found | undefined>,
): Promise<Found> {
  const payment = isId(id) ? await find(ctx.app.db, ctx.caller.tenantId, id, modeOf(ctx.caller)) : undefined
  if (!payment || !isShown(payment.status)) throw paymentNotFound(id)
  addLogFields({ paymentId: payment.id, paymentCode: payment.paymentCode })
  return payment
}
