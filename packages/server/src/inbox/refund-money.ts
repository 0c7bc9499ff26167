import type { Actor } from '../audit/audited-transaction.ts'
import { applyDecision, type Deps } from './apply-decision.ts'
import { decideRefund, type RefundRequest, type UnexpectedMoneyRow } from './decision.ts'
import { hasLaterReversal, hasOtherOpenParts, hasSeparateCredit } from './unexpected-money-list.sql.ts'

/** Records that the Owner refunded the money to the payer outside of this service. */
export const refundMoney = (
  app: Deps,
  owner: Actor,
  id: string,
  request: RefundRequest,
): Promise<UnexpectedMoneyRow> =>
  applyDecision(app, owner, id, {
    verb: 'refund',
    reason: request.reason,
    decide: async (money, payment, tx) => {
      const otherParts =
        payment !== undefined &&
        (await hasOtherOpenParts(tx, { tenantId: payment.tenantId, paymentId: payment.id }, id))
      const creditedBesides = await hasSeparateCredit(tx, money)
      const takenBack = await hasLaterReversal(tx, money)
      return decideRefund(money, payment, { otherParts, creditedBesides, takenBack }, request)
    },
  })
