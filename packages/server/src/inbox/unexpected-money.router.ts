import { z } from 'zod'
import { afterId, pageInput, pageOf, toPage } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { isId } from '../id.ts'
import { unexpectedKinds, unexpectedStatuses } from '../payments/unexpected-money.ts'
import { knownProvider } from '../providers/known-provider.ts'
import { acceptMoney } from './accept-money.ts'
import { assignMoney } from './assign-money.ts'
import { moneyNotFound } from './decide-on-money.ts'
import { acceptMoneyInput, assignMoneyInput, dismissMoneyInput, refundMoneyInput } from './decision-input.ts'
import { dismissMoney } from './dismiss-money.ts'
import { refundMoney } from './refund-money.ts'
import { findUnexpectedMoney, listUnexpectedMoney } from './unexpected-money-list.sql.ts'
import { unexpectedMoneyView, viewUnexpectedMoney } from './unexpected-money-view.ts'

/** The id is not validated as a UUID: an invalid id returns 404, like any record that does not exist. */
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
          'Money that did not arrive as agreed, payments that providers took back, refunds and chargebacks, newest first. Each filter narrows the list. Records with `status=open` wait for a decision: accept, assign, refund or dismiss.',
      },
    })
    .input(
      pageInput.extend({
        status: z.enum(unexpectedStatuses).optional().meta({ description: 'Only records with this status' }),
        kind: z.enum(unexpectedKinds).optional().meta({ description: 'Only records of this kind' }),
        provider: z
          .string()
          .optional()
          .meta({ description: 'Only records of this provider: its exact code', example: 'midtrans' }),
        payment_id: z.uuid().optional().meta({ description: 'Only records of this payment' }),
      }),
    )
    .output(pageOf(unexpectedMoneyView, 'UnexpectedMoneyPage'))
    .query(async ({ ctx, input }) => {
      const filter = {
        status: input.status ?? null,
        kind: input.kind ?? null,
        provider: knownProvider(ctx.app.providers, input.provider) ?? null,
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
          'What arrived, for which payment, whether the ledger has it, and what was decided on it.',
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
          'Money that the ledger does not have yet is credited. A payment that is not paid becomes paid with it, whatever the amount; for a paid payment it is a further credit (webhook `payment.paid_again`). Money that the ledger has, and a reversal, are only acknowledged. A refund or chargeback is debited (webhook `payment.refunded`). Accepted money can be refunded later; accepting it again is a 409.',
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
        summary: 'Assign money of an unknown reference to a payment',
        description:
          "To a payment of any tenant, in the mode of the account that the money came to. It is then accepted as that payment's.",
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
        summary: 'Mark unexpected money as given back',
        description:
          'For what was given back to the payer outside of this service. What the ledger has is debited (webhook `payment.refunded`): `amount`, by default all of it, of an overpaid one what is beyond the amount. What it does not have leaves no entry, and a payment that was challenged because of it has failed. It is final.',
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
          'For a refund or chargeback that did not happen, or that the merchant does not bear. No balance changes, and what the record held is released. It is final; any other record is a 409.',
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
