// Determines whether a status inquiry's result may be outdated. An outdated result describes an older state of the
// payment than the callback that caused the inquiry.

import type { Payment } from '../payments/payment.ts'
import type { InquiryResult, PaidFact } from '../providers/provider.ts'
import type { NeededInquiry } from './callback-message.ts'

/**
 * A provider's status API may lag behind its callbacks. An inquiry that contradicts a callback, or finds no order,
 * counts only if it was sent at least this long after the callback arrived.
 */
const CURRENT_AFTER_MS = 60_000

/**
 * Returns whether the result of a status inquiry may describe an older state than the callback. The parameter
 * `at` is the time at which the inquiry was sent.
 */
export const mayBeOutdated = (neededInquiry: NeededInquiry, result: InquiryResult, at: Date): boolean =>
  at.getTime() - neededInquiry.message.callback.receivedAt.getTime() < CURRENT_AFTER_MS &&
  contradicts(neededInquiry, result)

function contradicts(
  { message: { needsConfirmation }, update: { fact }, payment }: NeededInquiry,
  result: InquiryResult,
): boolean {
  if (needsConfirmation) return lacksPayment(result)
  // Only the inquiry result `failed` contradicts a signed report of a payment. After any other result,
  // record-callbacks.ts applies the report.
  if (fact.type === 'paid') return typeOf(result) === 'failed' && !isKnownReversal(result, fact, payment)
  return fact.type === 'unproven' && fact.claimsPayment === true && lacksPayment(result)
}

/** Returns true if the inquiry's result shows no payment: either the order is unpaid, or there is no order. */
export const lacksPayment = (result: InquiryResult): boolean =>
  ['absent', 'not_reported', 'pending', 'failed', 'expired', 'cancelled', 'closed'].includes(typeOf(result))

const typeOf = (result: InquiryResult) => (typeof result === 'string' ? result : result.fact.type)

/**
 * Returns whether a report repeats money that was credited and later reversed, and the inquiry's result is still
 * `failed`. The two do not contradict each other, and no money waits for the operator.
 */
export const isKnownReversal = (
  result: InquiryResult,
  { receipt }: PaidFact,
  payment: Pick<Payment, 'reversedAt' | 'receipt'>,
): boolean =>
  typeOf(result) === 'failed' &&
  payment.reversedAt !== null &&
  receipt !== undefined &&
  receipt === payment.receipt
