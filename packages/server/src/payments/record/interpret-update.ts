// Converts a provider's update about an order to an event for the order's payment. An update is a callback or the
// result of a status inquiry.

import type { Claim, ProviderUpdate } from '../../providers/provider.ts'
import { newId } from '../../values/id.ts'
import { acceptedEvent } from '../accepted-event.ts'
import {
  hasTransitioned,
  moneyReceivedEvent,
  type Payment,
  type PaymentEvent,
  referenceOf,
} from '../payment.ts'
import { transitions } from './transitions.ts'

/**
 * The effect of a provider's update: an event to record, `ask` if a status inquiry is needed to determine the event,
 * or undefined if nothing changes.
 */
export type Interpretation = PaymentEvent | 'ask' | undefined

/**
 * The current time and the service's public base URL, which are needed to convert a provider's update to a
 * payment event.
 */
export type InterpretationContext = { now: Date; publicUrl: string }

/**
 * Converts the update in a callback to an event. Returns `ask` if the result would depend on the order in which
 * callbacks arrive, for example after a payment and its reversal. A status inquiry then determines the result.
 */
export function interpretCallback(
  update: ProviderUpdate,
  payment: Payment,
  here: InterpretationContext,
): Interpretation {
  if (needsMoreOfReturns(update, payment)) return 'ask'
  switch (update.fact.type) {
    case 'unproven':
      return 'ask'
    case 'paid':
      return mayBeReversed(update, payment) ? 'ask' : interpretUpdate(update, payment, here)
    case 'failed':
      return isReversible(update, payment) ? 'ask' : interpretUpdate(update, payment, here)
    case 'expired':
    case 'cancelled':
    case 'closed':
      return isUnconfirmed(update, payment) ? 'ask' : interpretUpdate(update, payment, here)
    default:
      return interpretUpdate(update, payment, here)
  }
}

/**
 * Returns whether a status inquiry must confirm the reported refund or chargeback. This is the case if its amount is
 * missing, or if neither the stored payment nor the update shows that the payment was paid.
 */
const needsMoreOfReturns = ({ fact, returns = [] }: ProviderUpdate, { status }: Payment): boolean =>
  returns.some(each => each.amount === null && each.status !== 'failed') ||
  (returns.length > 0 && status !== 'paid' && fact.type !== 'paid')

/**
 * Returns whether the provider may have taken the money back after it sent this report. Callbacks can arrive out
 * of order, so a report that a payment was paid may be older than its reversal.
 */
const mayBeReversed = (update: ProviderUpdate, payment: Payment): boolean => {
  if (payment.status === 'paid')
    return payment.reversedAt !== null && payment.paidReference === update.reference
  const outcome = transitions[payment.status].failed
  return outcome === 'unchanged' || outcome === 'refused'
}

/**
 * Converts the result of a status inquiry to a payment event. `inquired` is the payment as it was before the inquiry.
 * If the payment became paid during the inquiry, the result may be outdated, so it does not reverse the payment.
 */
export function interpretInquiry(
  update: ProviderUpdate,
  inquired: Payment,
  payment: Payment,
  here: InterpretationContext,
): PaymentEvent | undefined {
  if (update.fact.type === 'failed' && isReversible(update, inquired) && isReversible(update, payment))
    // If the payment changed during the inquiry, it may have been reversed and paid again. The inquiry's result is then
    // outdated and must not reverse the payment.
    return inquired.reversedAt !== null && hasTransitioned(inquired, payment)
      ? undefined
      : { type: 'reversed', reason: update.fact.reason, unexpectedMoneyId: newId() }
  return interpretUpdate(update, payment, here)
}

/**
 * Returns whether a provider's report can reverse the payment: the payment must be paid, and the report must concern
 * the order that the payer paid. plan-received-money.ts determines the reversed amount.
 */
const isReversible = (update: ProviderUpdate, payment: Payment): boolean =>
  payment.status === 'paid' && payment.paidReference === update.reference

/**
 * Returns whether the operator credited the payment for this order and the provider has not confirmed the money. If
 * the provider reports that the order ended unpaid, the credit is reversed.
 */
const isUnconfirmed = (update: ProviderUpdate, payment: Payment): boolean =>
  payment.unconfirmedSince !== null && payment.paidReference === update.reference

export function interpretUpdate(
  update: ProviderUpdate,
  payment: Payment,
  { now, publicUrl }: InterpretationContext,
): PaymentEvent | undefined {
  const { reference, providerPaymentId, fact } = update
  // An update about an earlier charge attempt is ignored unless it reports received money.
  const isAboutMoney = fact.type === 'paid' || (fact.type === 'challenged' && fact.claim !== undefined)
  if (!isAboutMoney && reference !== referenceOf(payment)) return undefined
  if (isUnconfirmed(update, payment) && isFinalUnpaid(fact.type))
    return {
      type: 'reversed',
      reason: 'reason' in fact ? fact.reason : `the provider reports ${fact.type}`,
      unexpectedMoneyId: newId(),
    }
  switch (fact.type) {
    case 'pending':
      return (
        fact.methodData &&
        acceptedEvent({ providerPaymentId, methodData: fact.methodData }, payment, publicUrl)
      )
    case 'paid':
      return moneyReceivedEvent(payment, {
        amountPaid: fact.amountPaid,
        paidAt: fact.paidAt ?? now,
        reference,
        ...(fact.receipt !== undefined && { receipt: fact.receipt }),
        providerPaymentId,
      })
    case 'challenged':
      return challengedEvent(update, fact, now)
    case 'failed':
      return { type: fact.type, reason: fact.reason }
    case 'expired':
    case 'cancelled':
      return { type: fact.type }
    case 'closed':
      return { type: payment.expiresAt <= now ? 'expired' : 'cancelled' }
    case 'nothing':
    case 'unproven':
      return undefined
  }
}

/**
 * Returns the event for a claim: money that was reported but not confirmed by the provider. If the payment has already
 * ended, the claim becomes a record of unexpected money.
 */
export function challengedEvent(
  { reference, providerPaymentId }: Pick<ProviderUpdate, 'reference' | 'providerPaymentId'>,
  { reason, claim }: { reason: string; claim?: Claim },
  now: Date,
): PaymentEvent {
  if (!claim) return { type: 'challenged', reason }
  const paidAt = claim.paidAt ?? now
  return { type: 'challenged', reason, claim: { ...claim, paidAt, reference, providerPaymentId } }
}

const isFinalUnpaid = (type: ProviderUpdate['fact']['type']): boolean =>
  type === 'failed' || type === 'expired' || type === 'cancelled' || type === 'closed'
