import { z } from 'zod'
import { chosenModeOrId, modeOrIdFilter } from '../api/chosen-mode.ts'
import { longListInput, longListOf, totalOf } from '../api/long-list.ts'
import { startOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { nothing } from '../db/count-rows.ts'
import { paymentFilter } from '../payments/payment-id-input.ts'
import { idOfPayment } from '../payments/read/payment-list.sql.ts'
import { unexpectedKinds, unexpectedStatuses } from '../payments/record/unexpected-money.ts'
import { knownProvider } from '../providers/known-provider.ts'
import { isId } from '../values/id.ts'
import { acceptMoney } from './accept-money.ts'
import { moneyNotFound } from './apply-decision.ts'
import { assignMoney } from './assign-money.ts'
import { confirmPart } from './confirm-part.ts'
import { acceptMoneyInput, assignMoneyInput, dismissMoneyInput, refundMoneyInput } from './decision-input.ts'
import { dismissMoney } from './dismiss-money.ts'
import { refundMoney } from './refund-money.ts'
import {
  countUnexpectedMoney,
  findUnexpectedMoney,
  listUnexpectedMoney,
} from './unexpected-money-list.sql.ts'
import { unexpectedMoneyView, viewUnexpectedMoney } from './unexpected-money-view.ts'

/**
 * The path parameter with an unexpected money record's ID. It is not validated as a UUID, so an invalid ID returns
 * 404.
 */
const moneyId = z.object({
  id: z.string().meta({ description: 'UUID of the record', example: '01990000-0000-7000-8000-000000000021' }),
})

export const unexpectedMoneyRouter = router({
  list: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/unexpected-money',
        operationId: 'listUnexpectedMoney',
        tags: ['Exceptions'],
        summary: 'List unexpected money',
        description:
          'Lists unexpected money records, newest first by default. Each record is about money received that matches no open payment, or about a reversal, refund or chargeback. A record is listed if it matches all given filters. Records with `status=open` need a decision: accept, assign, refund or dismiss. A record of the kind `unconfirmed` is about money that the provider has not confirmed; check the receipt at the provider first.',
      },
    })
    .input(
      longListInput.extend({
        status: z.enum(unexpectedStatuses).optional().meta({ description: 'Only records with this status' }),
        kind: z.enum(unexpectedKinds).optional().meta({ description: 'Only records of this kind' }),
        provider: z
          .string()
          .optional()
          .meta({ description: 'Only records whose provider has exactly this code', example: 'midtrans' }),
        mode: modeOrIdFilter('records', '`payment_id`'),
        payment_id: paymentFilter('records of'),
      }),
    )
    .output(longListOf(unexpectedMoneyView, 'UnexpectedMoneyPage'))
    .query(async ({ ctx, input }) => {
      const paymentId =
        input.payment_id === undefined ? null : await idOfPayment(ctx.app.db, input.payment_id)
      if (paymentId === undefined)
        return { items: [], next_cursor: null, ...(await totalOf(input, async () => nothing)) }
      const filter = {
        status: input.status ?? null,
        kind: input.kind ?? null,
        provider: knownProvider(ctx.app.providers, input.provider) ?? null,
        mode: chosenModeOrId(ctx.caller, input.mode, input.payment_id),
        paymentId,
      }
      const rows = await listUnexpectedMoney(ctx.app.db, filter, startOf(input), input.limit + 1)
      return {
        ...toPage(rows, input, viewUnexpectedMoney),
        ...(await totalOf(input, () => countUnexpectedMoney(ctx.app.db, filter))),
      }
    }),

  get: userProcedure({ permission: 'viewer', roles: ['owner'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/unexpected-money/{id}',
        operationId: 'getUnexpectedMoney',
        tags: ['Exceptions'],
        summary: 'Get an unexpected money record',
        description:
          "Returns one unexpected money record: the amount, the payment, whether the money is in the ledger, and the Owner's decision.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(moneyId)
    .output(unexpectedMoneyView)
    .query(async ({ ctx, input: { id } }) => {
      const money = isId(id) ? await findUnexpectedMoney(ctx.app.db, id) : undefined
      if (!money) throw moneyNotFound(id)
      return viewUnexpectedMoney(money)
    }),

  accept: userProcedure({ permission: 'finance', roles: ['owner'], stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/unexpected-money/{id}/accept',
        operationId: 'acceptUnexpectedMoney',
        tags: ['Exceptions'],
        summary: 'Accept unexpected money',
        description:
          'Accepts an unexpected money record. Accepted money can still be refunded later. If the record was already accepted, the response is 409. For a partial payment (`underpaid`), the service first requests the status from the provider and records the result. If the provider does not respond or does not confirm the money, the response is 409; set `without_confirmation` to accept the record anyway. The effect depends on the record:\n\n- If the money is not in the ledger yet, it is credited. An unpaid payment becomes paid, regardless of the amount. A payment that is already paid receives an additional credit (webhook `payment.paid_again`).\n- If the money is already in the ledger, or the record is a reversal, no balance changes. The record is only marked as accepted.\n- A refund is debited (webhook `payment.refunded`), and so is a chargeback (webhook `payment.reversed`).',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
      storesResponseLater: 'calls a provider',
    })
    .input(moneyId.extend(acceptMoneyInput.shape))
    .output(unexpectedMoneyView)
    .mutation(async ({ ctx, input: { id, reason, amount, without_confirmation } }) => {
      if (!without_confirmation) await confirmPart(ctx.app, id)
      return viewUnexpectedMoney(
        await acceptMoney(ctx.app, ctx.caller, id, { reason, amount: centsOf(amount) }),
      )
    }),

  assign: userProcedure({ permission: 'finance', roles: ['owner'], stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/unexpected-money/{id}/assign',
        operationId: 'assignUnexpectedMoney',
        tags: ['Exceptions'],
        summary: 'Assign unexpected money to a payment',
        description:
          'Accepts money that was received with an unknown order reference, and assigns it to a payment. The payment can belong to any tenant, but it must be in the same mode as the provider account that received the money.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(moneyId.extend(assignMoneyInput.shape))
    .output(unexpectedMoneyView)
    .mutation(async ({ ctx, input: { id, payment_id: paymentId, reason, amount } }) =>
      viewUnexpectedMoney(
        await assignMoney(ctx.app, ctx.caller, id, { paymentId, reason, amount: centsOf(amount) }),
      ),
    ),

  refund: userProcedure({ permission: 'finance', roles: ['owner'], stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/unexpected-money/{id}/refund',
        operationId: 'refundUnexpectedMoney',
        tags: ['Exceptions'],
        summary: 'Refund unexpected money',
        description:
          'Refunds unexpected money to the payer. The decision creates a refund with the origin `operator`, and requests it from the provider. The fields `refund_id` and `refund_status` show this refund. If the provider cannot refund the money, pass `bank_account`. You then transfer the money, and resolve the refund with `POST /v1/refunds/{refund_id}/resolve`.\n\n- Money in the ledger is debited at once. The merchant receives `payment.refunded` when the refund has succeeded. If `amount` is omitted, the full amount is refunded; for an overpaid payment, only the excess.\n- Unconfirmed money can be refunded only after it was accepted.\n- Money that is not in the ledger changes no balance. A payment that was challenged because of this money becomes failed.\n- If the refund fails, debited money is credited again. The record is then `open` again.\n- The provider may already have reported a refund of the same amount, which waits for your decision. If the money is not in the ledger, this reported refund is recorded as the refund of the money. The service then requests no second refund from the provider.\n- The service cannot refund money whose payment is unknown. Transfer this money to the payer yourself; the decision only records that you did.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(moneyId.extend(refundMoneyInput.shape))
    .output(unexpectedMoneyView)
    .mutation(async ({ ctx, input: { id, reason, amount, bank_account: bankAccount } }) =>
      viewUnexpectedMoney(
        await refundMoney(ctx.app, ctx.caller, id, { amount: centsOf(amount), reason, bankAccount }),
      ),
    ),

  dismiss: userProcedure({ permission: 'finance', roles: ['owner'], stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/unexpected-money/{id}/dismiss',
        operationId: 'dismissUnexpectedMoney',
        tags: ['Exceptions'],
        summary: 'Dismiss a reported refund or chargeback, or unconfirmed money',
        description:
          'Dismisses a refund, a chargeback or unconfirmed money. Use this operation if the refund or chargeback did not happen, or if the merchant does not bear its cost. Also use it if the provider did not receive the unconfirmed money. No balance changes, and the amount held for a refund or chargeback is released. The decision is final. For a record of any other kind, the response is 409.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(moneyId.extend(dismissMoneyInput.shape))
    .output(unexpectedMoneyView)
    .mutation(async ({ ctx, input: { id, reason } }) =>
      viewUnexpectedMoney(await dismissMoney(ctx.app, ctx.caller, id, reason)),
    ),
})

const centsOf = (amount: number | undefined): bigint | undefined =>
  amount === undefined ? undefined : BigInt(amount)
