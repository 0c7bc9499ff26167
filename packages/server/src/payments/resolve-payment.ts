import type { App } from '../app.ts'
import { type Actor, act } from '../audit/act.ts'
import { GatewayError, paymentNotFound } from '../errors.ts'
import { isId } from '../id.ts'
import { addLogFields } from '../log.ts'
import { lockPayments } from './payment.sql.ts'
import { isShown, type Payment, type PaymentEvent, referenceOf, type Status } from './payment.ts'
import { findPaymentOfAnyTenant } from './payment-list.sql.ts'
import { recordEvents } from './record-event.ts'
import type { Decision } from './resolve-input.ts'
import { isPartGivenBack } from './unexpected-money.sql.ts'

const statusAfter: Record<Decision, Status> = { accept: 'paid', reject: 'failed' }

/** The Owner's word on a challenged payment of any tenant: it is paid with what arrived, or it has failed. */
export async function resolvePayment(
  app: Pick<App, 'db' | 'clock'>,
  owner: Actor,
  id: string,
  { decision, reason }: { decision: Decision; reason: string },
): Promise<Payment> {
  const found = isId(id) ? await findPaymentOfAnyTenant(app.db, id) : undefined
  if (!found || !isShown(found.status)) throw paymentNotFound(id)
  addLogFields({ paymentId: found.id, paymentCode: found.paymentCode })
  const now = app.clock()
  const key = { tenantId: found.tenantId, paymentId: found.id }
  return act(app, owner, async tx => {
    const [locked] = await lockPayments(tx, [key])
    if (decision === 'accept' && locked?.status === 'challenged' && (await isPartGivenBack(tx, locked)))
      throw new GatewayError('CONFLICT', 'what arrived of this payment was given back to the payer')
    const event = (payment: Payment): PaymentEvent | undefined =>
      payment.status === 'challenged' ? eventOf(decision, payment, reason, now) : undefined
    const [recorded] = await recordEvents(tx, [{ ...key, event, cause: 'owner', detail: reason }], now)
    if (recorded?.kind !== 'changed') {
      const status = recorded?.payment.status
      throw new GatewayError('INVALID_STATE_TRANSITION', `from ${status} to ${statusAfter[decision]}`)
    }
    const { payment } = recorded
    return {
      result: payment,
      action: 'payment.resolve',
      tenantId: payment.tenantId,
      subjectId: payment.id,
      before: { status: recorded.from },
      after: { status: payment.status, amount_paid: payment.amountPaid?.toString() ?? null, reason },
    }
  })
}

function eventOf(decision: Decision, payment: Payment, reason: string, now: Date): PaymentEvent {
  if (decision === 'reject') return { type: 'failed', reason }
  // Challenged for another reason than its sum, so nothing speaks against all of it.
  const amountPaid = payment.amountReceived ?? payment.amount
  if (amountPaid === 0n)
    throw new GatewayError('CONFLICT', 'nothing has arrived of this payment; it can only be rejected')
  const { paidReference, receipt } = payment
  return {
    type: 'paid',
    amountPaid,
    paidAt: now,
    reference: paidReference ?? referenceOf(payment),
    ...(receipt !== null && { receipt }),
  }
}
