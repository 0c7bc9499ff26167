import type { Actor } from '../audit/audited-transaction.ts'
import { applyDecision, type Deps } from './apply-decision.ts'
import { decideDismissal, type UnexpectedMoneyRow } from './decision.ts'

/**
 * Records the Owner's (the operator's) dismissal of a refund or chargeback reported by a provider. No balance
 * changes.
 */
export const dismissMoney = (
  app: Deps,
  owner: Actor,
  id: string,
  reason: string,
): Promise<UnexpectedMoneyRow> =>
  applyDecision(app, owner, id, { verb: 'dismiss', reason, decide: decideDismissal })
