// Determines whether a status inquiry's result may be older than the callback that caused the inquiry.

import type { InquiryResult, ProviderUpdate } from '../providers/provider.ts'
import type { CallbackMessage } from './callback-message.ts'

/**
 * A provider's status API may lag behind its callbacks. If a callback reports a payment and the result of an inquiry
 * contradicts it, the result counts only if the inquiry was sent at least this long after the callback was received.
 */
const CURRENT_AFTER_MS = 60_000

/** Returns whether the result of an inquiry sent at the time `at` may be older than the callback. */
export const mayBeOutdated = (message: CallbackMessage, result: InquiryResult, at: Date): boolean =>
  typeof result !== 'string' &&
  at.getTime() - message.callback.receivedAt.getTime() < CURRENT_AFTER_MS &&
  contradicts(message, result.fact.type)

function contradicts(
  { needsConfirmation, update: { fact } }: CallbackMessage,
  result: ProviderUpdate['fact']['type'],
): boolean {
  if (needsConfirmation) return result === 'pending'
  return fact.type === 'unproven' && fact.claimsPayment === true && isUnpaid(result)
}

const isUnpaid = (type: ProviderUpdate['fact']['type']): boolean =>
  ['pending', 'failed', 'expired', 'cancelled', 'closed'].includes(type)
