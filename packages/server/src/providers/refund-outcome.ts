// Rules by which all adapters convert responses and errors to refund outcomes.

import type { MoneyReturn, Refund, RefundInquiryResult } from './provider.ts'
import { ProviderError, RateLimitedError } from './provider.ts'
import type { RefundOutcome, RefundStatus } from './refund.ts'

export const refusedRefund = (reason: string, isRetriable = false): RefundOutcome => ({
  type: 'refused',
  reason,
  isRetriable,
})

/** The reason why the outcome of a refund is unknown if the provider has a refund of another amount. */
export const OTHER_AMOUNT = 'the response has a different amount'

export const unknownRefund = (reason: string) => ({ type: 'unknown', reason }) as const

/**
 * Sends a refund request and returns its outcome, even after an error. The function `send` must classify the provider's
 * responses. After `send` has sent a request, it may throw a ProviderError only of the kind `unknown`.
 */
export async function outcomeOfRefund(
  refund: Pick<Refund, 'isRepeated'>,
  send: () => Promise<RefundOutcome>,
): Promise<RefundOutcome> {
  const outcome = await send().catch(outcomeOfError)
  return refund.isRepeated && outcome.type === 'refused' ? unknownRefund(outcome.reason) : outcome
}

function outcomeOfError(error: unknown): RefundOutcome {
  if (!(error instanceof ProviderError)) throw error
  if (error.kind === 'unknown') return unknownRefund(error.message)
  return refusedRefund(error.message, error.kind === 'unavailable')
}

/**
 * Runs the status inquiry that must precede a refund request. If the inquiry fails, the refund was not requested and
 * can be retried.
 */
export const beforeRefund = <T>(inquiry: Promise<T>): Promise<T> =>
  inquiry.catch(error => {
    if (error instanceof ProviderError) throw new ProviderError('unavailable', error.message)
    throw error
  })

/**
 * Inquires about a refund and converts errors to the status `unknown`. Rethrows a RateLimitedError, so that the caller
 * can wait before the next inquiry.
 */
export async function resultOfRefundInquiry(
  inquire: () => Promise<RefundInquiryResult>,
): Promise<RefundInquiryResult> {
  try {
    return await inquire()
  } catch (error) {
    if (!(error instanceof ProviderError) || error instanceof RateLimitedError) throw error
    return { status: unknownRefund(error.message), returns: [] }
  }
}

/**
 * Finds our refund in the provider's list of an order's refunds and chargebacks. Returns `unlisted` if the list does
 * not contain our refund. Returns `unknown` in these cases:
 *
 * - A listed refund without a reference could be our refund.
 * - The refund with our reference has a different amount. This can happen after a backup was restored: a refund made
 *   after the backup is lost, and the next refund gets its reference.
 */
export function findRefund(
  { reference, amount }: Pick<Refund, 'reference' | 'amount'>,
  returns: MoneyReturn[],
  unlisted: RefundStatus,
): RefundInquiryResult {
  const refunds = returns.filter(({ kind }) => kind === 'refund')
  const ours = refunds.filter(each => each.reference === reference)
  // After a repeated refund request, the provider may list the failed attempts, too. An attempt that has not
  // failed is therefore preferred.
  const listed = ours.find(({ status }) => status !== 'failed') ?? ours[0]
  if (listed?.amount != null && listed.amount !== amount)
    return { status: unknownRefund(OTHER_AMOUNT), returns }
  if (listed) return { status: { type: listed.status, id: listed.id }, returns }
  const isComplete = refunds.every(each => each.reference !== undefined)
  return {
    status: isComplete ? unlisted : unknownRefund('the provider lists a refund without a reference'),
    returns,
  }
}
