import { z } from 'zod'
import { type Caller, type Context, modeOf } from '../api/context.ts'
import { keyProcedure, router, tenantProcedure } from '../api/trpc.ts'
import { GatewayError, paymentNotFound } from '../errors.ts'
import { isId } from '../id.ts'
import { listEntriesOfPayment } from '../ledger/ledger.sql.ts'
import { ledgerEntryView, viewLedgerEntry } from '../ledger/ledger-view.ts'
import { cancelPayment } from './cancel-payment.ts'
import { createPaymentBody, createPaymentInput, idempotencyKey } from './create-input.ts'
import { createPayment } from './create-payment.ts'
import { findPayment } from './payment.sql.ts'
import { isShown, type Payment } from './payment.ts'
import { paymentView, viewPayment } from './payment-view.ts'

/** No UUID check here: an id that is none is a payment that does not exist, 404. */
const paymentId = z.object({
  payment_id: z
    .string()
    .meta({ description: 'UUID of the payment', example: '01990000-0000-7000-8000-000000000001' }),
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
          'Creates a payment and returns what the payer needs to pay it. Only `method_type` and `method_detail` differ between methods. Repeat a request whose answer was lost with the same `X-Idempotency-Key`: it returns the same payment with `Idempotency-Replayed: true` and charges nobody twice.',
      },
      errors: ['IDEMPOTENCY_CONFLICT', 'PROVIDER_ERROR'],
      idempotent: true,
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

  get: tenantProcedure
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/payments/{payment_id}',
        operationId: 'getPayment',
        tags: ['Payments'],
        summary: 'Get a payment',
        description: 'The payment as it stands. Meant for polling while no webhook has arrived.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentId)
    .output(paymentView)
    .query(async ({ ctx, input }) => viewPayment(await getPayment(ctx, input.payment_id))),

  cancel: tenantProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/payments/{payment_id}/cancel',
        operationId: 'cancelPayment',
        tags: ['Payments'],
        summary: 'Cancel a payment',
        description:
          'Cancels a pending or challenged payment. The provider is not told, so a virtual account may stay payable; money that arrives all the same makes the payment paid.',
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
        description: 'In the order of posting; empty before the payment is paid.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(paymentId)
    .output(z.array(ledgerEntryView))
    .query(async ({ ctx, input }) => {
      const payment = await getPayment(ctx, input.payment_id)
      const entries = await listEntriesOfPayment(ctx.app.db, payment.tenantId, payment.id)
      return entries.map(viewLedgerEntry)
    }),
})

async function getPayment(ctx: Pick<Context, 'app'> & { caller: Caller }, id: string): Promise<Payment> {
  const payment = isId(id)
    ? await findPayment(ctx.app.db, ctx.caller.tenantId, id, modeOf(ctx.caller))
    : undefined
  if (!payment || !isShown(payment.status)) throw paymentNotFound(id)
  return payment
}
