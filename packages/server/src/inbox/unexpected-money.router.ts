import { z } from 'zod'
import { chosenModeOrId, modeOrIdFilter } from '../api/chosen-mode.ts'
import { afterId, pageInput, pageOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { unexpectedKinds, unexpectedStatuses } from '../payments/record/unexpected-money.ts'
import { knownProvider } from '../providers/known-provider.ts'
import { isId } from '../values/id.ts'
import { acceptMoney } from './accept-money.ts'
import { moneyNotFound } from './apply-decision.ts'
import { assignMoney } from './assign-money.ts'
import { acceptMoneyInput, assignMoneyInput, dismissMoneyInput, refundMoneyInput } from './decision-input.ts'
import { dismissMoney } from './dismiss-money.ts'
import { refundMoney } from './refund-money.ts'
import { findUnexpectedMoney, listUnexpectedMoney } from './unexpected-money-list.sql.ts'
import { unexpectedMoneyView, viewUnexpectedMoney } from './unexpected-money-view.ts'

/**
 * The path parameter with the record's id. It is not validated as a UUID: an invalid id returns 404, like the id of a
 * record that does not exist.
 */
const moneyId = z.object({
  id: z.string().meta({ description: 'UUID of the record', example: '01990000-0000-7000-8000-000000000021' }),
})

export const unexpectedMoneyRouter = router({
  list: userProcedure('owner')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/unexpected-money',
        operationId: 'listUnexpectedMoney',
        tags: ['Exceptions'],
        summary: 'List unexpected money',
        description:
          'Lists money that does not match an open payment, and reversals, refunds and chargebacks, newest first. All filters must match. Records with `status=open` need a decision: accept, assign, refund or dismiss.',
      },
    })
    .input(
      pageInput.extend({
        status: z.enum(unexpectedStatuses).optional().meta({ description: 'Only records with this status' }),
        kind: z.enum(unexpectedKinds).optional().meta({ description: 'Only records of this kind' }),
        provider: z
          .string()
          .optional()
          .meta({ description: 'Only records of the provider with exactly this code', example: 'midtrans' }),
        mode: modeOrIdFilter('records', '`payment_id`'),
        payment_id: z.uuid().optional().meta({ description: 'Only records of this payment' }),
      }),
    )
    .output(pageOf(unexpectedMoneyView, 'UnexpectedMoneyPage'))
    .query(async ({ ctx, input }) => {
      const filter = {
        status: input.status ?? null,
        kind: input.kind ?? null,
        provider: knownProvider(ctx.app.providers, input.provider) ?? null,
        mode: chosenModeOrId(ctx.caller, input.mode, input.payment_id),
        paymentId: input.payment_id ?? null,
      }
      const rows = await listUnexpectedMoney(ctx.app.db, filter, afterId(input), input.limit + 1)
      return toPage(rows, input, viewUnexpectedMoney)
    }),

  get: userProcedure('owner')
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/unexpected-money/{id}',
        operationId: 'getUnexpectedMoney',
        tags: ['Exceptions'],
        summary: 'Get a record of unexpected money',
        description:
          'Returns the amount received, its payment, whether it is in the ledger, and the decision.',
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

  accept: userProcedure('owner')
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/unexpected-money/{id}/accept',
        operationId: 'acceptUnexpectedMoney',
        tags: ['Exceptions'],
        summary: 'Accept unexpected money',
        description:
          'Accepts a record of unexpected money. Accepted money can be refunded later. Accepting it again returns 409.\n\n- Money that is not in the ledger yet is credited. An unpaid payment becomes paid, regardless of the amount. For a paid payment, it is an additional credit (webhook `payment.paid_again`).\n- Money that is already in the ledger and reversals are only acknowledged.\n- A refund or chargeback is debited (webhook `payment.refunded`).',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(moneyId.extend(acceptMoneyInput.shape))
    .output(unexpectedMoneyView)
    .mutation(async ({ ctx, input: { id, reason, amount } }) =>
      viewUnexpectedMoney(await acceptMoney(ctx.app, ctx.caller, id, { reason, amount: centsOf(amount) })),
    ),

  assign: userProcedure('owner')
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/unexpected-money/{id}/assign',
        operationId: 'assignUnexpectedMoney',
        tags: ['Exceptions'],
        summary: 'Assign unexpected money to a payment',
        description:
          'Assigns money with an unknown reference to a payment of any tenant, and accepts it. The payment must be in the same mode as the provider account that received the money.',
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

  refund: userProcedure('owner')
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/unexpected-money/{id}/refund',
        operationId: 'refundUnexpectedMoney',
        tags: ['Exceptions'],
        summary: 'Mark unexpected money as refunded',
        description:
          'Records that the money was refunded to the payer outside of this service. This decision is final.\n\n- Money in the ledger is debited (webhook `payment.refunded`). If `amount` is omitted, everything is debited; for an overpaid payment, only the excess.\n- Money that is not in the ledger causes no ledger entry. A payment that was challenged because of it becomes failed.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(moneyId.extend(refundMoneyInput.shape))
    .output(unexpectedMoneyView)
    .mutation(async ({ ctx, input: { id, reason, amount } }) =>
      viewUnexpectedMoney(
        await refundMoney(ctx.app, ctx.caller, id, {
          amount: centsOf(amount),
          reason,
        }),
      ),
    ),

  dismiss: userProcedure('owner')
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/unexpected-money/{id}/dismiss',
        operationId: 'dismissUnexpectedMoney',
        tags: ['Exceptions'],
        summary: 'Dismiss a refund or chargeback',
        description:
          'Dismisses a refund or chargeback that did not happen or that the merchant does not bear. Balances do not change, and the amount held for the record is released. This decision is final. Any other kind of record returns 409.',
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
