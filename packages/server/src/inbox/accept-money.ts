import type { Actor } from '../audit/act.ts'
import { type Deps, decideOnMoney } from './decide-on-money.ts'
import { acceptance, type KeptMoney } from './decision.ts'

/** The Owner takes money as the payment's, or notes what the ledger has. */
export const acceptMoney = (app: Deps, owner: Actor, id: string, reason: string): Promise<KeptMoney> =>
  decideOnMoney(app, owner, id, { verb: 'accept', reason, judge: acceptance })
