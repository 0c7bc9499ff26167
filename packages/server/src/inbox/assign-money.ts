import type { Actor } from '../audit/act.ts'
import { fault } from '../faults/fault.ts'
import { findPaymentOfAnyTenant, findPaymentOfCode } from '../payments/read/payment-list.sql.ts'
import { isId } from '../values/id.ts'
import { type Deps, decideOnMoney } from './apply-decision.ts'
import { type Acceptance, acceptance, type KeptMoney } from './decision.ts'

/** Assigns money that was reported with an unknown reference to a payment, by the Owner's decision. */
export async function assignMoney(
  app: Deps,
  owner: Actor,
  id: string,
  { paymentId, ...wanted }: Acceptance & { paymentId: string },
): Promise<KeptMoney> {
  const find = isId(paymentId) ? findPaymentOfAnyTenant : findPaymentOfCode
  const found = await find(app.db, paymentId)
  if (!found) throw fault('payment_not_found', { id: paymentId })
  return decideOnMoney(app, owner, id, {
    verb: 'assign',
    reason: wanted.reason,
    assignedTo: { tenantId: found.tenantId, paymentId: found.id },
    judge: (money, payment) => {
      if (money.paymentId !== null && money.kind !== 'unknown_reference')
        throw fault('money_assigned', { paymentId: money.paymentId })
      const decision = acceptance(money, payment, wanted)
      if (money.mode !== found.mode)
        throw fault('money_of_other_mode', { money: money.mode, payment: found.mode })
      return decision
    },
  })
}
