import { z } from 'zod'
import { chosenMode, modeFilter } from '../../api/chosen-mode.ts'
import { type Caller, type Context, modeOfCaller } from '../../api/context.ts'
import { longListInput, longListOf, totalOf } from '../../api/long-list.ts'
import { startOf, toPage } from '../../api/page.ts'
import { isProofStale, router, tenantProcedure, userProcedure } from '../../api/trpc.ts'
import { inScope, scopeOfTenant } from '../../db/tenant-scope.ts'
import { limitWholeList } from '../../fairness/large-read-limit.ts'
import { fault } from '../../faults/fault.ts'
import { addLogFields } from '../../logging/log.ts'
import { auditOpenedPayment } from '../../support/audit-opened-payment.ts'
import { auditTenantsList } from '../../support/audit-tenants-list.ts'
import { findTenant } from '../../tenants/tenant.sql.ts'
import { scopeOfViewer } from '../../tenants/tenant-scope.ts'
import { moment, periodBetween } from '../../values/day.ts'
import { isId } from '../../values/id.ts'
import { idempotencyKey } from '../create/create-input.ts'
import { findPaymentInBatch } from '../payment.sql.ts'
import { isShown, type Payment } from '../payment.ts'
import { findPaymentByIdOrCode } from '../read/payment-list.sql.ts'
import { findRefundById, listRefundsOfPayments } from '../record/refund.sql.ts'
import { type PaymentRefund, refundStatuses } from '../record/refund.ts'
import { BYTES_OF_REFUND, refundView, viewRefund } from '../record/refund-view.ts'
import { createRefund } from './create-refund.ts'
import { refundDetailsView, viewRefundDetailsFor } from './refund-details-view.ts'
import { createRefundInput, resolveRefundInput } from './refund-input.ts'
import { countVisibleRefunds, listVisibleRefunds } from './refund-list.sql.ts'
import type { RefundRequester } from './refund-requester.ts'
import { resolveRefund } from './resolve-refund.ts'

const paymentId = z.object({
  payment_id: z
    .string()
    .meta({ description: 'UUID of the payment', example: '01990000-0000-7000-8000-000000000001' }),
})
const refundId = z.object({
  refund_id: z
    .string()
    .meta({ description: 'UUID of the refund', example: '01990000-0000-7000-8000-000000000033' }),
})

const listInput = longListInput.extend({
  mode: modeFilter('refunds'),
  status: z.enum(refundStatuses).optional().meta({ description: 'Only refunds with this status' }),
  waiting: z.enum(['true', 'false']).optional().meta({
    description:
      '`true` lists only pending refunds the Owner must resolve: manual refunds, and refunds whose outcome is still unknown after 72 hours',
  }),
  from: moment.optional().meta({
    description:
      'Only refunds created at or after this time (inclusive). A date means the start of that day in Asia/Jakarta. A timestamp must be in ISO 8601 format with a time zone',
    example: '2026-11-01',
  }),
  to: moment.optional().meta({
    description:
      'Only refunds created at or before this time (inclusive). A date means the end of that day in Asia/Jakarta. A timestamp must be in ISO 8601 format with a time zone',
    example: '2026-11-30',
  }),
})

/**
 * Runs a read operation on the data of all tenants the caller may see. A Partner sees itself and its Clients.
 * The Owner sees all tenants.
 */
const asViewer = <Result>(
  caller: Caller,
  read: (viewer: string | null) => Promise<Result>,
): Promise<Result> =>
  caller.kind === 'user'
    ? inScope(scopeOfViewer(caller), () => read(caller.role === 'owner' ? null : caller.tenantId))
    : inScope(scopeOfTenant(caller.tenantId), () => read(caller.tenantId))

/** A key that may refund payments can also read refunds, because its refunds can be pending for days. */
const readScopes = ['refunds', 'payments:read'] as const

export const refundRouter = router({
  create: tenantProcedure({ permission: 'finance', scope: 'refunds' })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/payments/{payment_id}/refunds',
        operationId: 'createRefund',
        tags: ['Refunds'],
        summary: 'Refund a payment',
        description:
          'Refunds a paid payment, in full or in part. The service debits your balance first, and then requests the refund from the provider. To learn the outcome, wait for the webhook `payment.refunded`, or poll `GET /v1/refunds/{refund_id}`. If the refund fails, your balance is credited again and you receive `refund.failed`. The payment stays `paid`.\n\n- The refunds of a payment never exceed `amount_paid`.\n- If your balance does not cover the amount, the response is 409 `INSUFFICIENT_BALANCE`.\n- If the provider cannot refund the payment, pass `bank_account`. The Owner then transfers the money (`method` is `manual`).\n- Large refunds need a confirmed second factor. A refund is large if all refunds that users requested for this payment, including this refund, add up to more than `refund_proof_above` of the account (`GET /v1/account`). Users without a second factor are not affected. If the user has not confirmed the second factor in the last 15 minutes, the response is 401 `OTP_REQUIRED`, and nothing is recorded. Confirm it with `POST /v1/account/second-factor/confirm`, and retry with the same `X-Idempotency-Key`. Refunds with an API key need no second factor.\n\nIf you receive no response, retry with the same `X-Idempotency-Key`. The service then returns the same refund, and the payer is not refunded twice.',
      },
      errors: [
        ...(['OTP_REQUIRED', 'NOT_FOUND', 'IDEMPOTENCY_CONFLICT'] as const),
        ...(['INVALID_STATE_TRANSITION', 'INSUFFICIENT_BALANCE'] as const),
      ],
      idempotent: true,
    })
    .input(paymentId.extend(createRefundInput.shape))
    .output(refundView)
    .mutation(async ({ ctx, input: { payment_id, ...input } }) => {
      const key = idempotencyKey.safeParse(ctx.idempotencyKey)
      if (!key.success) throw fault('idempotency_key_needed', {}, { field: 'X-Idempotency-Key' })
      const payment = await findOwnPayment(ctx, payment_id)
      const { tenantId, id: paymentId, mode } = shown(payment, payment_id)
      const { refund, isReplayed } = await createRefund(
        ctx.app,
        { tenantId, paymentId, mode },
        key.data,
        input,
        await requesterOf(ctx),
      )
      if (isReplayed) ctx.setHeader('Idempotency-Replayed', 'true')
      return viewRefund(refund)
    }),

  ofPayment: tenantProcedure({ permission: 'viewer', scope: readScopes })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments/{payment_id}/refunds',
        operationId: 'listPaymentRefunds',
        tags: ['Refunds'],
        summary: "List a payment's refunds",
        description:
          "Lists all of a payment's refunds and chargebacks, oldest first. If the payment belongs to another tenant, the audit log records who opened the payment.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentId)
    .output(z.array(refundView))
    .query(({ ctx, input: { payment_id } }) =>
      asViewer(ctx.caller, async () => {
        const found =
          ctx.caller.role === 'client'
            ? await findOwnPayment(ctx, payment_id)
            : await findPaymentByIdOrCode(ctx.app.db, payment_id)
        const payment = shown(found, payment_id)
        await auditOpened(ctx, payment)
        const { tenantId, id } = payment
        const refunds = await limitWholeList(ctx, BYTES_OF_REFUND, () =>
          listRefundsOfPayments(ctx.app.db, [{ tenantId, paymentId: id }]),
        )
        return refunds.map(viewRefund)
      }),
    ),

  list: tenantProcedure({ permission: 'viewer', scope: readScopes })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/refunds',
        operationId: 'listRefunds',
        tags: ['Refunds'],
        summary: 'List refunds',
        description:
          "Lists refunds and chargebacks, newest first by default. A Partner also sees its Clients' refunds, and the Owner sees all tenants' refunds. The audit log records who listed other tenants' refunds, and with which filters. A refund is listed if it matches all given filters.",
      },
    })
    .input(listInput)
    .output(longListOf(refundView, 'RefundPage'))
    .query(({ ctx, input }) => readPage(ctx, input, viewRefund)),

  // Available only over tRPC, because the response has fields that are not in the published refund schema of the
  // REST API.
  listDetails: userProcedure({ permission: 'viewer' })
    .input(listInput)
    .output(longListOf(refundDetailsView, 'RefundDetailsPage'))
    .query(({ ctx, input }) =>
      readPage(ctx, input, viewRefundDetailsFor(ctx.caller.role, ctx.app.providers)),
    ),

  get: tenantProcedure({ permission: 'viewer', scope: readScopes })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/refunds/{refund_id}',
        operationId: 'getRefund',
        tags: ['Refunds'],
        summary: 'Get a refund',
        description:
          'Returns the current state of a refund or chargeback. If it belongs to another tenant, the audit log records who opened the payment.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(refundId)
    .output(refundView)
    .query(({ ctx, input: { refund_id } }) =>
      asViewer(ctx.caller, async () => {
        const { caller } = ctx
        const refund = isId(refund_id)
          ? await findRefundById(ctx.app.db, caller.role === 'client' ? caller.tenantId : null, refund_id)
          : undefined
        const mode = modeOfCaller(caller)
        if (!refund || (mode !== null && refund.mode !== mode))
          throw fault('refund_not_found', { id: refund_id })
        if (refund.tenantId !== caller.tenantId) {
          const payment = await findPaymentByIdOrCode(ctx.app.db, refund.paymentId)
          if (!payment) throw fault('refund_not_found', { id: refund_id })
          await auditOpened(ctx, payment)
        }
        return viewRefund(refund)
      }),
    ),

  resolve: userProcedure({ permission: 'finance', roles: ['owner'], stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/refunds/{refund_id}/resolve',
        operationId: 'resolveRefund',
        tags: ['Refunds'],
        summary: 'Resolve a refund',
        description:
          "Records the outcome of a pending refund for any tenant. Use this operation for a manual refund that you have transferred, or for a refund whose outcome at the provider is unknown. An outcome is unknown if the provider's last response was lost or unclear, or if the service has inquired about the refund for 72 hours. The outcome `succeeded` sends the webhook `payment.refunded` and, for a manual refund, requires `bank_reference`. The outcome `failed` credits the merchant again and sends the webhook `refund.failed`, which contains `reason`. If `in_ledger` is false, the money was never credited, so no balance changes and no webhook is sent. If a refund of unexpected money fails, the record of this money becomes `open` again. The response is 409 if the refund is not pending, or if the provider may still be making it. The response is also 409 for a refund made at the provider (origin `provider` or `chargeback`), because only the provider's report changes such a refund. The only exception is a won chargeback at Midtrans, because Midtrans does not report that a chargeback was won. After Midtrans has removed the chargeback from the order, record `failed`. The service then sends a status inquiry. If there is no response, or if the response still lists the chargeback, this operation returns 409 and nothing changes. If Midtrans reports the chargeback again later, it is debited again.",
      },
      errors: ['NOT_FOUND', 'INVALID_STATE_TRANSITION'],
      storesResponseLater: 'calls a provider',
    })
    .input(refundId.extend(resolveRefundInput.shape))
    .output(refundView)
    .mutation(async ({ ctx, input: { refund_id, ...input } }) =>
      viewRefund(await resolveRefund(ctx.app, ctx.caller, refund_id, input)),
    ),
})

/**
 * Returns who requests the refund, and the total above which a user must confirm the second factor again.
 * This limit is read from the tenant's database row, so a changed limit applies immediately.
 */
async function requesterOf(ctx: Pick<Context, 'app'> & { caller: Caller }): Promise<RefundRequester> {
  const byUser = ctx.caller.kind === 'user'
  if (!(await isProofStale(ctx))) return { byUser, unprovenUpTo: null }
  const tenant = await findTenant(ctx.app.db, ctx.caller.tenantId)
  // If the tenant is not found, the limit for refunds without a second factor is zero, so every refund
  // requires the second factor.
  return { byUser, unprovenUpTo: tenant?.refundProofAbove ?? 0n }
}

/** Finds a payment of the caller's tenant by its ID. With an API key, only payments in the key's mode are found. */
const findOwnPayment = async (
  { app, caller }: Pick<Context, 'app'> & { caller: Caller },
  id: string,
): Promise<Payment | undefined> =>
  isId(id) ? findPaymentInBatch(app.db, caller.tenantId, id, modeOfCaller(caller)) : undefined

/** Records in the audit log that a user of the Owner or a Partner read a refund of another tenant's payment. */
async function auditOpened(
  { app, caller }: Pick<Context, 'app'> & { caller: Caller },
  payment: Payment,
): Promise<void> {
  if (caller.kind === 'user' && caller.tenantId !== payment.tenantId)
    await auditOpenedPayment(app, caller, payment)
}

function shown(payment: Payment | undefined, id: string): Payment {
  if (!payment || !isShown(payment.status)) throw fault('payment_not_found', { id })
  addLogFields({ paymentId: payment.id, paymentCode: payment.paymentCode })
  return payment
}

function readPage<View>(
  { app, caller }: Pick<Context, 'app'> & { caller: Caller },
  input: z.output<typeof listInput>,
  view: (refund: PaymentRefund) => View,
) {
  const mode = chosenMode(caller, input.mode)
  const createdIn = periodBetween(input.from, input.to)
  if (createdIn.from >= createdIn.before) throw fault('period_ends_before_start', {}, { field: 'to' })
  const status = input.status ?? null
  const isWaiting = input.waiting === 'true'
  return asViewer(caller, async viewer => {
    const filter = { viewer, mode, status, isWaiting, createdIn }
    const rows = await listVisibleRefunds(app.db, filter, startOf(input), input.limit + 1)
    if (caller.kind === 'user') {
      const { from, to, waiting } = input
      const filters = { mode: input.mode ?? 'live', status: input.status, waiting, from, to }
      await auditTenantsList(app, caller, 'refund.list', rows.slice(0, input.limit), filters)
    }
    return {
      ...toPage(rows, input, view),
      ...(await totalOf(input, () => countVisibleRefunds(app.db, filter))),
    }
  })
}
