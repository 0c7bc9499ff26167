import { z } from 'zod'
import { type Caller, type Context, modeOfCaller } from '../api/context.ts'
import { exportStyle } from '../api/export-style.ts'
import { keyProcedure, router, tenantProcedure, userProcedure } from '../api/trpc.ts'
import { hasErasableData } from '../customers/customer.sql.ts'
import type { Db } from '../db/db.ts'
import { limitWholeList } from '../fairness/large-read-limit.ts'
import { fault } from '../faults/fault.ts'
import { listEntriesOfPayment } from '../ledger/ledger.sql.ts'
import { BYTES_OF_ENTRY, ledgerEntryView, viewLedgerEntry } from '../ledger/ledger-view.ts'
import { addLogFields } from '../logging/log.ts'
import { isId } from '../values/id.ts'
import { type Mode, modes } from '../values/mode.ts'
import { listAttempts } from './attempt.sql.ts'
import { cancelPayment } from './cancel-payment.ts'
import { createPaymentBody, createPaymentInput, idempotencyKey } from './create/create-input.ts'
import { createPayment } from './create/create-payment.ts'
import { findPaymentInBatch, findShownPaymentInBatch } from './payment.sql.ts'
import { isShown, type ShownPayment } from './payment.ts'
import { listPage, paymentFilterOf, paymentListInput, paymentPage } from './payment-list.router.ts'
import { paymentView, viewPayment } from './payment-view.ts'
import { attemptView, viewAttempt } from './read/attempt-view.ts'
import { exportAsCsv, paymentLine } from './read/export-line.ts'
import { exportPayments } from './read/export-payments.ts'
import { latestReversal, reversalView } from './read/latest-reversal.ts'
import { listTransitions } from './read/payment-list.sql.ts'
import { BYTES_OF_TRANSITION, timelineEntryView, timelineOf } from './read/timeline.ts'
import { offerRefund, refundOfferView } from './refund/refund-offer.ts'
import { resolvePayment } from './resolve-payment.ts'
import { resolvePaymentInput } from './resolve-payment-input.ts'

/**
 * The path parameter for the payment's id. It is not validated as a UUID: an invalid id returns 404, just like an
 * unknown id.
 */
export const paymentId = z.object({
  payment_id: z
    .string()
    .meta({ description: 'UUID of the payment', example: '01990000-0000-7000-8000-000000000001' }),
})

export const paymentRouter = router({
  create: keyProcedure({ scope: 'payments:write', roles: ['client'] })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/payments/create',
        operationId: 'createPayment',
        tags: ['Payments'],
        summary: 'Create a payment',
        description:
          'Creates a payment and returns the payment instructions in `method_data`. Show them to the payer. Then wait for the webhook `payment.paid`, or poll `GET /v1/payments/{payment_id}`. Only `method_type` and `method_detail` differ between methods. `GET /v1/active-methods` lists the methods your key can use. If you receive no response, retry with the same `X-Idempotency-Key`. The service then returns the same payment with `Idempotency-Replayed: true`, and the payer is not charged twice.',
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

  list: tenantProcedure({ permission: 'viewer', scope: 'payments:read' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments',
        operationId: 'listPayments',
        tags: ['Payments'],
        summary: 'List payments',
        description:
          'Lists your payments, newest first by default. A payment is listed if it matches all given filters. A page can have fewer items than `limit`, because it is limited to 512 KiB. A page can even be empty although other pages follow. This happens if `q`, `channel` or `amount` matches many payments, but another filter excludes nearly all of them. Check `next_cursor` to see whether there are more. To find one payment by its ID, payment code or idempotency key, use `q`.\n\nTo export all matching payments, send `Accept: text/csv` or `Accept: application/x-ndjson`. An export ignores `limit` and `cursor`. You can run two exports at a time.\n\n- `Accept: application/vnd.openxmlformats-officedocument.spreadsheetml.sheet` returns an Excel workbook with amounts in rupiah and times in Jakarta time.\n- `style=spreadsheet` returns CSV for spreadsheet users: UTF-8 with a byte order mark, amounts in rupiah with two decimals, and times in Jakarta time. A spreadsheet that uses a decimal comma may misread these amounts; export the workbook instead.\n- CSV has one row per payment. Amounts are in cents (`amount_cents`, `amount_paid_cents`), times are in UTC, and text that starts like a formula is prefixed with an apostrophe. If the export fails midway, the connection is closed; discard the partial file.\n- NDJSON has one line per payment and ends with a line of type `end`. If that line is missing, the export is incomplete.',
      },
      lines: { schema: paymentLine, csv: exportAsCsv, permission: 'finance' },
    })
    .input(paymentListInput.extend({ style: exportStyle }))
    .output(paymentPage)
    .query(async ({ ctx, input }) => {
      const filter = paymentFilterOf(ctx, ctx.caller.tenantId, input)
      const { isStreamed, writeLine } = ctx
      if (!isStreamed || !writeLine) return listPage(ctx, filter, input)
      await exportPayments(ctx.app, filter, input.order, writeLine)
      return { items: [], next_cursor: null }
    }),

  get: tenantProcedure({ permission: 'viewer', scope: 'payments:read' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments/{payment_id}',
        operationId: 'getPayment',
        tags: ['Payments'],
        summary: 'Get a payment',
        description:
          "Returns a payment's current state. Webhooks notify you of every status change. Use this operation if you did not receive a webhook, or to check the status before you ship high-value goods.",
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

  // This procedure is available only over tRPC, because it returns fields that are not in the payment schema of the
  // REST API.
  standing: userProcedure({ permission: 'viewer', roles: ['client'] })
    .input(paymentId)
    .output(
      z.strictObject({
        mode: z.enum(modes),
        /** The latest reversal by the provider that debited money. Null if there is none. */
        reversal: reversalView.nullable(),
        /** The refundable amount, and how it can be refunded. Null if the payment cannot be refunded. */
        refund_offer: refundOfferView.nullable(),
        /** Whether the payment or its refunds store data of the payer that can be erased. */
        has_customer_data: z.boolean(),
      }),
    )
    .query(async ({ ctx, input }) => {
      const payment = await lookUp(ctx, input.payment_id, findPaymentInBatch)
      const { mode, tenantId, id } = payment
      const [reversal, refundOffer, hasCustomerData] = await Promise.all([
        latestReversal(ctx.app.db, payment),
        offerRefund(ctx.app, payment),
        hasErasableData(ctx.app.db, tenantId, id),
      ])
      return { mode, reversal, refund_offer: refundOffer, has_customer_data: hasCustomerData }
    }),

  cancel: tenantProcedure({ permission: 'finance', scope: 'payments:write' })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/payments/{payment_id}/cancel',
        operationId: 'cancelPayment',
        tags: ['Payments'],
        summary: 'Cancel a payment',
        description:
          'Cancels a pending or challenged payment and sends the webhook `payment.cancelled`. The provider is not notified, so the payer may still be able to pay, for example into a virtual account. If the payer then pays, the payment becomes paid and you receive `payment.paid`. If the payment is already paid, failed, expired or cancelled, the response is 409 and nothing changes. The request is therefore safe to retry.',
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

  ledger: tenantProcedure({ permission: 'viewer', scope: 'payments:read' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments/{payment_id}/ledger',
        operationId: 'listPaymentLedger',
        tags: ['Payments'],
        summary: "List a payment's ledger entries",
        description:
          "Lists the payment's ledger entries (the changes it made to your balance), oldest first. The list is empty until the payment is paid. A payment that was reversed or refunded has a debit after its credit.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentId)
    .output(z.array(ledgerEntryView))
    .query(async ({ ctx, input }) => {
      const payment = await lookUp(ctx, input.payment_id, findPaymentInBatch)
      const entries = await limitWholeList(ctx, BYTES_OF_ENTRY, () =>
        listEntriesOfPayment(ctx.app.db, payment.tenantId, payment.id),
      )
      return entries.map(viewLedgerEntry)
    }),

  timeline: tenantProcedure({ permission: 'viewer', scope: 'payments:read' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments/{payment_id}/timeline',
        operationId: 'listPaymentTimeline',
        tags: ['Payments'],
        summary: "List a payment's status changes",
        description:
          'Lists every status change since the payment was created, oldest first, with the cause of each change.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentId)
    .output(z.array(timelineEntryView))
    .query(async ({ ctx, input }) => {
      const payment = await lookUp(ctx, input.payment_id, findPaymentInBatch)
      const transitions = await limitWholeList(ctx, BYTES_OF_TRANSITION, () =>
        listTransitions(ctx.app.db, payment.tenantId, payment.id),
      )
      return timelineOf(payment, transitions)
    }),

  attempts: tenantProcedure({ permission: 'viewer', scope: 'payments:read' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments/{payment_id}/attempts',
        operationId: 'listPaymentAttempts',
        tags: ['Payments'],
        summary: "List a payment's charge attempts",
        description:
          "Lists the payment's charge attempts, oldest first, with the provider and outcome of each. A payment has several attempts if a provider was unavailable and the service tried the next provider account.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentId)
    .output(z.array(attemptView))
    .query(async ({ ctx, input }) => {
      const payment = await lookUp(ctx, input.payment_id, findPaymentInBatch)
      return (await listAttempts(ctx.app.db, payment)).map(viewAttempt(payment))
    }),

  resolve: userProcedure({ permission: 'finance', roles: ['owner'], stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/payments/{payment_id}/resolve',
        operationId: 'resolvePayment',
        tags: ['Exceptions'],
        summary: 'Resolve a challenged payment',
        description:
          "Accepts or rejects a `challenged` payment of any tenant. Such a payment is on hold, because the provider suspects fraud or received less than the amount due. The service notifies the merchant by webhook. A repeated decision returns 409, but a retry with the same `X-Idempotency-Key` returns the first response.\n\n- `accept` approves the payment at the provider if the provider's API supports approval, and then requests the status from the provider. If the provider confirms the payment, the payment becomes paid. Otherwise the response is 409; set `without_confirmation` to credit the payment anyway. If only part of the amount was received, only this part is credited.\n- `reject` denies the payment at the provider if the provider's API supports denial, and sets the payment to failed.",
      },
      storesResponseLater: 'calls a provider',
      errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION', 'CONFLICT'],
    })
    .input(
      resolvePaymentInput.extend({
        payment_id: paymentId.shape.payment_id.meta({ description: 'Payment UUID or payment code' }),
      }),
    )
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
