import type { Actor } from '../audit/act.ts'
import { type Deps, decideOnMoney } from './apply-decision.ts'
import { dismissal, type KeptMoney } from './decision.ts'

/** Dismisses a refund or chargeback by the Owner's decision. No balance changes. */
export const dismissMoney = (app: Deps, owner: Actor, id: string, reason: string): Promise<KeptMoney> =>
  decideOnMoney(app, owner, id, { verb: 'dismiss', reason, judge: dismissal })
