import type { Actor } from '../audit/act.ts'
import { type Deps, decideOnMoney } from './decide-on-money.ts'
import { type Acceptance, acceptance, type KeptMoney } from './decision.ts'

/** The Owner takes money as the payment's, debits what went back at the provider, or notes what the ledger has. */
export const acceptMoney = (app: Deps, owner: Actor, id: string, wanted: Acceptance): Promise<KeptMoney> =>
  decideOnMoney(app, owner, id, {
    verb: 'accept',
    reason: wanted.reason,
    judge: (money, payment) => acceptance(money, payment, wanted),
  })
