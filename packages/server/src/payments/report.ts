// A provider's report on one order, as an event of the payment whose try that order is.

import { newId } from '../id.ts'
import type { ProviderReport } from '../providers/provider.ts'
import { acceptance } from './acceptance.ts'
import { hasMoved, type Payment, type PaymentEvent, paymentReceived, referenceOf } from './payment.ts'
import { transitions } from './transitions.ts'

/**
 * Undefined: nothing follows. `ask`: what follows depends on how the order stands now, and only the provider can
 * tell.
 */
export type Meaning = PaymentEvent | 'ask' | undefined

/** publicUrl: where this service is reached. */
export type Here = { now: Date; publicUrl: string }

/**
 * A callback says how an order stood when it was sent; callbacks come late and in any order. Where two orders of
 * the same messages would end differently (paid and then taken back, or refused and then paid) the provider's
 * present word decides.
 */
export function meaningOfCallback(report: ProviderReport, payment: Payment, here: Here): Meaning {
  if (needsMoreOfReturns(report, payment)) return 'ask'
  switch (report.fact.type) {
    case 'unproven':
      return 'ask'
    case 'paid':
      return mayBeTakenBack(report, payment) ? 'ask' : meaningOfReport(report, payment, here)
    case 'failed':
      return isReversible(report, payment) ? 'ask' : meaningOfReport(report, payment, here)
    case 'expired':
    case 'cancelled':
    case 'closed':
      return isUnconfirmed(report, payment) ? 'ask' : meaningOfReport(report, payment, here)
    default:
      return meaningOfReport(report, payment, here)
  }
}

/** A return without its amount, or of a payment that is not known to be paid: an inquiry may list both. */
const needsMoreOfReturns = ({ fact, returns = [] }: ProviderReport, { status }: Payment): boolean =>
  returns.some(each => each.amount === null && each.status !== 'failed') ||
  (returns.length > 0 && status !== 'paid' && fact.type !== 'paid')

/**
 * Where a report of failure changes nothing, the one that took this money back may have come before it. After a
 * reversal, a report of payment may be an old one, or the provider may have paid again.
 */
const mayBeTakenBack = (report: ProviderReport, payment: Payment): boolean => {
  if (payment.status === 'paid')
    return payment.reversedAt !== null && payment.paidReference === report.reference
  const outcome = transitions[payment.status].failed
  return outcome === 'unchanged' || outcome === 'refused'
}

/**
 * The provider's word, in answer to an inquiry. asked: the payment as it was before the question. A word that may
 * be older than the report that paid it takes nothing back.
 */
export function meaningOfAnswer(
  report: ProviderReport,
  asked: Payment,
  payment: Payment,
  here: Here,
): PaymentEvent | undefined {
  if (report.fact.type === 'failed' && isReversible(report, asked) && isReversible(report, payment))
    // What was paid again after a reversal may have come while the provider was asked.
    return asked.reversedAt !== null && hasMoved(asked, payment)
      ? undefined
      : { type: 'reversed', reason: report.fact.reason, unexpectedMoneyId: newId() }
  return meaningOfReport(report, payment, here)
}

/** Paid by this very order. Whether anything of it is left to take back, the records say (plan-event.ts). */
const isReversible = (report: ProviderReport, payment: Payment): boolean =>
  payment.status === 'paid' && payment.paidReference === report.reference

/** Credited by the Owner alone: that the order ended without payment takes the credit back. */
const isUnconfirmed = (report: ProviderReport, payment: Payment): boolean =>
  payment.unconfirmedSince !== null && payment.paidReference === report.reference

export function meaningOfReport(
  report: ProviderReport,
  payment: Payment,
  { now, publicUrl }: Here,
): PaymentEvent | undefined {
  const { reference, providerPaymentId, fact } = report
  // A try that was given up says nothing about the one that followed; but its money is money.
  if (fact.type !== 'paid' && reference !== referenceOf(payment)) return undefined
  if (isUnconfirmed(report, payment) && isEnd(fact.type))
    return {
      type: 'reversed',
      reason: 'reason' in fact ? fact.reason : `the provider reports ${fact.type}`,
      unexpectedMoneyId: newId(),
    }
  switch (fact.type) {
    case 'pending':
      return (
        fact.methodData && acceptance({ providerPaymentId, methodData: fact.methodData }, payment, publicUrl)
      )
    case 'paid':
      return paymentReceived(payment, {
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

const isEnd = (type: ProviderReport['fact']['type']): boolean =>
  type === 'failed' || type === 'expired' || type === 'cancelled' || type === 'closed'
