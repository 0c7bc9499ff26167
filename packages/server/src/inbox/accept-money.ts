import type { Actor } from '../audit/act.ts'
import { type Deps, decideOnMoney } from './apply-decision.ts'
import { type Acceptance, acceptance, type KeptMoney } from './decision.ts'

/**
 * Records that the Owner accepts the money. Received money is credited, and a reported refund or chargeback is debited.
 * If the ledger already has the money, it is only acknowledged.
 */
export const acceptMoney = (app: Deps, owner: Actor, id: string, wanted: Acceptance): Promise<KeptMoney> =>
  decideOnMoney(app, owner, id, {
    verb: 'accept',
    reason: wanted.reason,
    judge: (money, payment) => acceptance(money, payment, wanted),
  })
