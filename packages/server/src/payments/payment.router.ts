import { z } from 'zod'
import { chosenMode, modeFilter } from '../api/chosen-mode.ts'
import { type Caller, type Context, modeOfCaller } from '../api/context.ts'
import { afterId, pageInput, pageOf, pageWith } from '../api/page.ts'
import { keyProcedure, router, tenantProcedure, userProcedure } from '../api/trpc.ts'
import type { Db } from '../db/db.ts'
import { limitLargeReads } from '../fairness/large-read-limit.ts'
import { fault } from '../faults/fault.ts'
import { listEntriesOfPayment } from '../ledger/ledger.sql.ts'
import { ledgerEntryView, viewLedgerEntry } from '../ledger/ledger-view.ts'
import { addLogFields } from '../logging/log.ts'
import { knownProvider } from '../providers/known-provider.ts'
import { moment, periodBetween } from '../values/day.ts'
import { isId } from '../values/id.ts'
import { type Mode, modes } from '../values/mode.ts'
import { text } from '../values/text.ts'
import { listAttempts } from './attempt.sql.ts'
import { cancelPayment } from './cancel-payment.ts'
import { createPaymentBody, createPaymentInput, idempotencyKey } from './create/create-input.ts'
import { createPayment } from './create/create-payment.ts'
import { methodTypes } from './method.ts'
import { findPaymentInBatch, findShownPaymentInBatch } from './payment.sql.ts'
import { isShown, type ShownPayment, shownStatuses } from './payment.ts'
import { paymentView, viewPayment } from './payment-view.ts'
import { attemptView, viewAttempt } from './read/attempt-view.ts'
import { csvRowOf, exportColumns, paymentLine } from './read/export-line.ts'
import { exportPayments } from './read/export-payments.ts'
import { listTransitions, type PaymentFilter } from './read/payment-list.sql.ts'
import { readPaymentPage } from './read/read-payment-page.ts'
import { timelineEntryView, timelineOf } from './read/timeline.ts'
import { resolvePayment } from './resolve-payment.ts'
import { resolvePaymentInput } from './resolve-payment-input.ts'

/** The payment's id in the path. An invalid id is not rejected, but returns 404 like an unknown id. */
const paymentId = z.object({
  payment_id: z
    .string()
    .meta({ description: 'UUID of the payment', example: '01990000-0000-7000-8000-000000000001' }),
})

const listInput = pageInput.extend({
  mode: modeFilter('payments'),
  status: z.enum(shownStatuses).optional().meta({ description: 'Only payments with this status' }),
  method_type: z.enum(methodTypes).optional().meta({ description: 'Only payments with this payment method' }),
  provider: z
    .string()
    .optional()
    .meta({ description: 'Only payments of the provider with exactly this code', example: 'midtrans' }),
  from: moment.optional().meta({
    description:
      'Only payments created at or after this time (inclusive). A date means the start of that day in Asia/Jakarta. A timestamp must be in ISO 8601 format with a time zone',
    example: '2026-11-01',
  }),
  to: moment.optional().meta({
    description:
      'Only payments created at or before this time (inclusive). A date means the end of that day in Asia/Jakarta. A timestamp must be in ISO 8601 format with a time zone',
    example: '2026-11-30',
  }),
  q: text().optional().meta({
    description:
      "Only payments that match this text. `id`, `payment_code`, `idempotency_key` and `provider_payment_id` must match exactly. The customer's name, email address and phone number match if they begin with the text, ignoring case",
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
          'Creates a payment and returns the payment instructions in `method_data`. Show them to the payer. Then wait for the webhook `payment.paid`, or poll `GET /v1/payments/{payment_id}`. Only `method_type` and `method_detail` differ between methods. `GET /v1/active-methods` lists the methods that your key can use. If you receive no response, retry with the same `X-Idempotency-Key`. The service then returns the same payment with `Idempotency-Replayed: true`, and the payer is not charged twice.',
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
      if (!key.success) throw fault('idempotency_key_needed', {}, { field: 'X-Idempotency-Key' })
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
          'Lists your payments, newest first. All filters must match. A page is limited to 512 KiB, so it can have fewer items than `limit`. Check `next_cursor` to see whether there are more. To find one payment by its ID, payment code or idempotency key, use `q`.\n\nTo export all matching payments, send `Accept: text/csv` or `Accept: application/x-ndjson`. An export ignores `limit` and `cursor`. You can run two exports at a time.\n\n- CSV has one row per payment. Amounts are in cents (`amount_cents`, `amount_paid_cents`), times are in UTC, and text that starts like a formula is prefixed with an apostrophe. If the export fails midway, the connection is closed; discard the partial file.\n- NDJSON has one line per payment and ends with a line of type `end`. If that line is missing, the export is incomplete.',
      },
      lines: { schema: paymentLine, csv: { type: 'payment', columns: exportColumns, rowOf: csvRowOf } },
    })
    .input(listInput)
    .output(pageOf(paymentView, 'PaymentPage'))
    .query(async ({ ctx, input }) => {
      const filter = filterOf(ctx, input)
      const { isStreamed, writeLine } = ctx
      if (isStreamed && writeLine) {
        await exportPayments(ctx.app, filter, writeLine)
        return { items: [], next_cursor: null }
      }
      const after = afterId(input)
      const reader = { owner: ctx.caller.tenantId, onReceived: ctx.onReceived }
      const page = await limitLargeReads(reader, () =>
        readPaymentPage(ctx.app.db, filter, after, input.limit),
      )
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
          'Returns the current state of the payment. Webhooks notify you of every change. Use this operation if you are missing a webhook, or to check the status before you ship high-value goods.',
      },
      errors: ['NOT_FOUND'],
      sessionKey: true,
    })
    .input(paymentId)
    .output(paymentView)
    .query(async ({ ctx, input }) => {
      const payment = await lookUp(ctx, input.payment_id, findShownPaymentInBatch)
      const { tenantId, id: paymentId, status } = payment
      if (status === 'pending' || status === 'challenged')
        ctx.app.earlyChecks.noteMerchantRequest({ tenantId, paymentId })
      return viewPayment(payment)
    }),

  // This procedure is available over tRPC only, because its fields are not part of the fixed payment schema of the API.
  standing: userProcedure('client')
    .input(paymentId)
    .output(
      z.strictObject({
        mode: z.enum(modes),
        /** When the provider took the payment's money back, or null. */
        reversed_at: z.iso.datetime().nullable(),
      }),
    )
    .query(async ({ ctx, input }) => {
      const { mode, reversedAt } = await lookUp(ctx, input.payment_id, findPaymentInBatch)
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
          'Cancels a pending or challenged payment and sends the webhook `payment.cancelled`. The provider is not notified, so the payer may still be able to pay, for example into a virtual account. If money is received after all, the payment becomes paid and you receive `payment.paid`. If the payment is already paid, failed, expired or cancelled, the response is 409 and nothing changes. The request is therefore safe to retry.',
      },
      errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
    })
    .input(paymentId)
    .output(paymentView)
    .mutation(async ({ ctx, input }) => {
      if (!isId(input.payment_id)) throw fault('payment_not_found', { id: input.payment_id })
      return viewPayment(
        await cancelPayment(ctx.app, ctx.caller.tenantId, input.payment_id, modeOfCaller(ctx.caller)),
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
          'Lists how the payment changed your balance, in posting order. The list is empty until the payment is paid. A reversed or refunded payment has a debit after its credit.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentId)
    .output(z.array(ledgerEntryView))
    .query(async ({ ctx, input }) => {
      const payment = await lookUp(ctx, input.payment_id, findPaymentInBatch)
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
        summary: "List a payment's status changes",
        description:
          'Lists every status change of the payment since it was created, oldest first, with the cause of each change.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentId)
    .output(z.array(timelineEntryView))
    .query(async ({ ctx, input }) => {
      const payment = await lookUp(ctx, input.payment_id, findPaymentInBatch)
      return timelineOf(payment, await listTransitions(ctx.app.db, payment.tenantId, payment.id))
    }),

  attempts: tenantProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments/{payment_id}/attempts',
        operationId: 'listPaymentAttempts',
        tags: ['Payments'],
        summary: "List a payment's charge attempts",
        description:
          'Lists the charge attempts of the payment in order, with the provider and the outcome of each. There is more than one attempt if a provider was unavailable and the next provider account was tried.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentId)
    .output(z.array(attemptView))
    .query(async ({ ctx, input }) => {
      const payment = await lookUp(ctx, input.payment_id, findPaymentInBatch)
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
          "Accepts or rejects a challenged payment of any tenant. The merchant is notified by webhook. Repeating a decision returns 409.\n\n- `accept` first requests the status from the provider, and approves the payment there if the provider's API supports it. If the provider confirms the payment, it becomes paid. Otherwise the response is 409; set `without_confirmation` to credit the payment anyway. If only part of the amount was received, that part is credited.\n- `reject` denies the payment at the provider if the provider's API supports it, and sets the payment to failed.",
      },
      ignoresKey: 'calls a provider',
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
  const only = chosenMode(caller, mode)
  const knownCode = knownProvider(app.providers, provider)
  const createdIn = periodBetween(from, to)
  if (createdIn.from >= createdIn.before) throw fault('period_ends_before_start', {}, { field: 'to' })
  return {
    tenantId: caller.tenantId,
    modes: only ? [only] : modes,
    statuses: status ? [status] : shownStatuses,
    methodTypes: method_type ? [method_type] : methodTypes,
    providers: knownCode ? [knownCode] : [...app.providers.keys()],
    createdIn,
    search: q || undefined,
  }
}

async function lookUp<Found extends ShownPayment>(
  ctx: Pick<Context, 'app'> & { caller: Caller },
  id: string,
  find: (db: Db, tenantId: string, id: string, mode: Mode | null) => Promise<Found | undefined>,
): Promise<Found> {
  const payment = isId(id)
    ? await find(ctx.app.db, ctx.caller.tenantId, id, modeOfCaller(ctx.caller))
    : undefined
  if (!payment || !isShown(payment.status)) throw fault('payment_not_found', { id })
  addLogFields({ paymentId: payment.id, paymentCode: payment.paymentCode })
  return payment
}
