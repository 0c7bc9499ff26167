// Determines whether a status inquiry's result may be older than the callback that caused the inquiry.

import type { InquiryResult, ProviderUpdate } from '../providers/provider.ts'
import type { NeededInquiry } from './callback-message.ts'

/**
 * A provider's status API may lag behind its callbacks. If a callback reports a payment, and an inquiry contradicts it
 * or finds no order, the result counts only if the inquiry was sent at least this long after the callback was received.
 */
const CURRENT_AFTER_MS = 60_000

/** Returns whether the result of an inquiry sent at the time `at` may be older than the callback. */
export const mayBeOutdated = (neededInquiry: NeededInquiry, result: InquiryResult, at: Date): boolean =>
  at.getTime() - neededInquiry.message.callback.receivedAt.getTime() < CURRENT_AFTER_MS &&
  contradicts(neededInquiry, typeof result === 'string' ? result : result.fact.type)

type ResultType = Extract<InquiryResult, string> | ProviderUpdate['fact']['type']

function contradicts(
  { message: { needsConfirmation }, update: { fact }, payment }: NeededInquiry,
  result: ResultType,
): boolean {
  if (needsConfirmation) return result === 'pending'
  // record-callbacks.ts applies a signed report of a payment unless the inquiry reports `failed`. A repeated report
  // of money that has been credited and reversed does not contradict the failure.
  if (fact.type === 'paid') {
    const isReversed = payment.reversedAt !== null && fact.receipt !== undefined
    return result === 'failed' && !(isReversed && fact.receipt === payment.receipt)
  }
  return fact.type === 'unproven' && fact.claimsPayment === true && lacksPayment(result)
}

/** Returns whether an inquiry found an unpaid order or no order at all. */
const lacksPayment = (result: ResultType): boolean =>
  ['absent', 'not_reported', 'pending', 'failed', 'expired', 'cancelled', 'closed'].includes(result)
