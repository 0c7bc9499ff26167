import type { Actor } from '../audit/audited-transaction.ts'
import { applyDecision, type Deps } from './apply-decision.ts'
import { decideDismissal, type UnexpectedMoneyRow } from './decision.ts'

/**
 * Records that the Owner (the operator) dismisses unconfirmed money, or a refund or chargeback that a provider
 * reported. A dismissal changes no balance.
 */
export const dismissMoney = (
  app: Deps,
  owner: Actor,
  id: string,
  reason: string,
): Promise<UnexpectedMoneyRow> =>
  applyDecision(app, owner, id, { verb: 'dismiss', reason, decide: decideDismissal })
