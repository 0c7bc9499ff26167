import type { Actor } from '../audit/audited-transaction.ts'
import { applyDecision, type Deps } from './apply-decision.ts'
import { type AcceptRequest, decideAcceptance, type UnexpectedMoneyRow } from './decision.ts'

/**
 * Stores the decision of the Owner (the operator) to accept unexpected money. If the ledger already contains the
 * money, only its record changes. Otherwise, the money is credited to the merchant, or debited if it is a refund or
 * chargeback that the provider reported.
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
