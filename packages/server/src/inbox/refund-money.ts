import type { Actor } from '../audit/act.ts'
import { type Deps, decideOnMoney } from './apply-decision.ts'
import { type KeptMoney, type Refund, refund } from './decision.ts'
import { hasCredit, hasOtherOpenParts, isTakenBack } from './unexpected-money-list.sql.ts'

/** Records that the Owner refunded the money to the payer outside of this service. */
export const refundMoney = (app: Deps, owner: Actor, id: string, wanted: Refund): Promise<KeptMoney> =>
  decideOnMoney(app, owner, id, {
    verb: 'refund',
    reason: wanted.reason,
    judge: async (money, payment, tx) => {
      const otherParts =
        payment !== undefined &&
        (await hasOtherOpenParts(tx, { tenantId: payment.tenantId, paymentId: payment.id }, id))
      const creditedBesides = await hasCredit(tx, money)
      const takenBack = await isTakenBack(tx, money)
      return refund(money, payment, { otherParts, creditedBesides, takenBack }, wanted)
    },
  })
