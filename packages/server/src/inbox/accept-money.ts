import type { Actor } from '../audit/audited-transaction.ts'
import { applyDecision, type Deps } from './apply-decision.ts'
import { type AcceptRequest, decideAcceptance, type UnexpectedMoneyRow } from './decision.ts'

/**
 * Applies the decision of the Owner (the operator) to accept unexpected money:
 *
 * - Money that is already in the ledger: only the record of the money changes.
 * - Other received money: credited to the merchant.
 * - A refund or chargeback that the provider reported: debited from the merchant.
 */
export const acceptMoney = (
  app: Deps,
  owner: Actor,
  id: string,
  request: AcceptRequest,
): Promise<UnexpectedMoneyRow> =>
  applyDecision(app, owner, id, {
    verb: 'accept',
    reason: request.reason,
    decide: (money, payment) => decideAcceptance(money, payment, request),
  })
