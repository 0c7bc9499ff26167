import type { Actor } from '../audit/audited-transaction.ts'
import { type Deps, decideOnMoney } from './decide-on-money.ts'
import { dismissal, type KeptMoney } from './decision.ts'

/** Dismisses a refund or chargeback by the Owner's decision. No balance changes. */
export const dismissMoney = (app: Deps, owner: Actor, id: string, reason: string): Promise<KeptMoney> =>
  decideOnMoney(app, owner, id, { verb: 'dismiss', reason, judge: dismissal })
