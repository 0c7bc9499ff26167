// Converts a provider's update about one order to an event of the payment that the order belongs to.

import type { ProviderUpdate } from '../../providers/provider.ts'
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
 * What an update means for a payment: an event; `ask` if only the order's current status can decide, so the provider
 * must be polled; or undefined if the payment does not change.
 */
export type Interpretation = PaymentEvent | 'ask' | undefined

/** `publicUrl` is the public base URL of this service. */
export type InterpretationContext = { now: Date; publicUrl: string }

/**
 * Converts a callback's update. A callback describes an order at the time when it was sent, and callbacks arrive late
 * and in any order. If the result would depend on the order of two messages (paid and reversed, or rejected and paid),
 * the provider's current status decides.
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
 * Whether an inquiry must complete an update about a refund or chargeback. It is needed if the update has no amount, or
 * if the payment is not known to be paid.
 */
const needsMoreOfReturns = ({ fact, returns = [] }: ProviderUpdate, { status }: Payment): boolean =>
  returns.some(each => each.amount === null && each.status !== 'failed') ||
  (returns.length > 0 && status !== 'paid' && fact.type !== 'paid')

/**
 * Whether the provider may already have taken the reported money back. If an update about a failure does
 * not change the payment's status, the update about the reversal may have arrived before this one. After a reversal, an
 * update that says paid may be outdated, or the payer may have paid again.
 */
const mayBeReversed = (update: ProviderUpdate, payment: Payment): boolean => {
  if (payment.status === 'paid')
    return payment.reversedAt !== null && payment.paidReference === update.reference
  const outcome = transitions[payment.status].failed
  return outcome === 'unchanged' || outcome === 'refused'
}

/**
 * Converts the response to a status inquiry. `inquired` is the payment before the inquiry. A response that may be older
 * than the update that paid the payment does not reverse it.
 */
export function interpretInquiry(
  update: ProviderUpdate,
  inquired: Payment,
  payment: Payment,
  here: InterpretationContext,
): PaymentEvent | undefined {
  if (update.fact.type === 'failed' && isReversible(update, inquired) && isReversible(update, payment))
    // While the inquiry was in flight, money that was paid again after a reversal may have been recorded.
    return inquired.reversedAt !== null && hasTransitioned(inquired, payment)
      ? undefined
      : { type: 'reversed', reason: update.fact.reason, unexpectedMoneyId: newId() }
  return interpretUpdate(update, payment, here)
}

/**
 * Whether this order paid the payment. The records of the payment's money show whether any money is left to take back
 * (plan-received-money.ts).
 */
const isReversible = (update: ProviderUpdate, payment: Payment): boolean =>
  payment.status === 'paid' && payment.paidReference === update.reference

/**
 * Whether the payment was credited by the Owner and not confirmed by the provider. If the provider then reports that
 * the order ended unpaid, the credit is reversed.
 */
const isUnconfirmed = (update: ProviderUpdate, payment: Payment): boolean =>
  payment.unconfirmedSince !== null && payment.paidReference === update.reference

export function interpretUpdate(
  update: ProviderUpdate,
  payment: Payment,
  { now, publicUrl }: InterpretationContext,
): PaymentEvent | undefined {
  const { reference, providerPaymentId, fact } = update
  // An update about a replaced attempt does not affect the current one, except that its money still counts.
  if (fact.type !== 'paid' && reference !== referenceOf(payment)) return undefined
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
    case 'failed':
    case 'challenged':
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

const isFinalUnpaid = (type: ProviderUpdate['fact']['type']): boolean =>
  type === 'failed' || type === 'expired' || type === 'cancelled' || type === 'closed'
