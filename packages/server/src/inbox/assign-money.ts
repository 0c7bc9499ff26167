import type { Actor } from '../audit/audited-transaction.ts'
import { fault } from '../faults/fault.ts'
import { findPaymentByIdOrCode } from '../payments/read/payment-list.sql.ts'
import { applyDecision, type Deps } from './apply-decision.ts'
import { type AcceptRequest, decideAcceptance, type UnexpectedMoneyRow } from './decision.ts'

/**
 * Assigns unexpected money to a payment that the Owner (the operator) has chosen. This is necessary if the provider
 * reported the money with an order reference that matches no payment.
 */
export async function assignMoney(
  app: Deps,
  owner: Actor,
  id: string,
  { paymentId, ...request }: AcceptRequest & { paymentId: string },
): Promise<UnexpectedMoneyRow> {
  const found = await findPaymentByIdOrCode(app.db, paymentId)
  if (!found) throw fault('payment_not_found', { id: paymentId })
  return applyDecision(app, owner, id, {
    verb: 'assign',
    reason: request.reason,
    assignedTo: { tenantId: found.tenantId, paymentId: found.id },
    decide: (money, payment) => {
      if (money.paymentId !== null && !mayBeAssigned(money, found.id))
        throw fault('money_assigned', { paymentId: money.paymentId })
      const decision = decideAcceptance(money, payment, request)
      if (money.mode !== found.mode)
        throw fault('money_of_other_mode', { money: money.mode, payment: found.mode })
      return decision
    },
  })
}

/**
 * Returns whether money that already belongs to a payment may be assigned to the payment `toPaymentId`. If a refund of
 * assigned money failed, the money is open again, but still credited for its payment. It can then be assigned only to
 * that payment. Returns true for money that is already decided on, because `decideAcceptance` then throws an error that
 * describes the decision.
 */
const mayBeAssigned = ({ kind, status, paymentId }: UnexpectedMoneyRow, toPaymentId: string): boolean =>
  kind === 'unknown_reference' && (status !== 'open' || paymentId === toPaymentId)
