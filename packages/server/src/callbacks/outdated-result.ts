// Determines whether a status inquiry's result may be outdated. An outdated result describes an older state of the
// payment than the callback that caused the inquiry.

import type { InquiryResult, ProviderUpdate } from '../providers/provider.ts'
import type { NeededInquiry } from './callback-message.ts'

/**
 * A provider's status API may lag behind its callbacks. After a callback reports a payment, an inquiry may contradict
 * the callback or find no order. The inquiry's result then counts only if the inquiry was sent at least this long after
 * the callback arrived.
 */
const CURRENT_AFTER_MS = 60_000

/**
 * Returns whether the result of a status inquiry may describe an older state than the callback. The parameter
 * `at` is the time at which the inquiry was sent.
 */
export const mayBeOutdated = (neededInquiry: NeededInquiry, result: InquiryResult, at: Date): boolean =>
  at.getTime() - neededInquiry.message.callback.receivedAt.getTime() < CURRENT_AFTER_MS &&
  contradicts(neededInquiry, typeof result === 'string' ? result : result.fact.type)

type ResultType = Extract<InquiryResult, string> | ProviderUpdate['fact']['type']

function contradicts(
  { message: { needsConfirmation }, update: { fact }, payment }: NeededInquiry,
  result: ResultType,
): boolean {
  if (needsConfirmation) return result === 'pending'
  // Only the inquiry result `failed` contradicts a signed report of a payment. After any other result,
  // record-callbacks.ts applies the report. `failed` does not contradict a report that repeats money which was credited
  // and later reversed.
  if (fact.type === 'paid') {
    const isReversed = payment.reversedAt !== null && fact.receipt !== undefined
    return result === 'failed' && !(isReversed && fact.receipt === payment.receipt)
  }
  return fact.type === 'unproven' && fact.claimsPayment === true && lacksPayment(result)
}

/** Returns true if the inquiry's result shows no payment: either the order is unpaid, or there is no order. */
const lacksPayment = (result: ResultType): boolean =>
  ['absent', 'not_reported', 'pending', 'failed', 'expired', 'cancelled', 'closed'].includes(result)
