// The outcomes of refund requests and refund inquiries at a provider. provider.ts declares the functions that
// return them.

/**
 * A refund request's outcome:
 *
 * - `pending`: the provider accepted the refund. A callback or an inquiry will report the result.
 * - `succeeded`: the provider made the refund.
 * - `refused`: the provider certainly did not make the refund. `isRetriable` means that an identical request may
 *   succeed later, for example at another time of day.
 * - `unknown`: it is not known whether the provider made the refund. Only an inquiry, a callback or the
 *   operator can determine the outcome.
 *
 * `id` is the provider's id for the refund, or null if the response has no id.
 */
export type RefundOutcome =
  | { type: 'pending'; id: string | null }
  | { type: 'succeeded'; id: string | null }
  | { type: 'refused'; reason: string; isRetriable: boolean }
  | { type: 'unknown'; reason: string }

/**
 * The status of a refund that was requested earlier, as the provider reports it:
 *
 * - `pending`, `succeeded`: the provider lists the refund as pending or as succeeded.
 * - `failed`: the provider lists the refund as failed, and no money was returned.
 * - `absent`: the provider lists the order's refunds but not this one, and documents that a repeated request makes
 *   the refund only once. The same request may be sent again, unchanged. `absent` never means that the refund
 *   failed, because an accepted refund may be listed late.
 * - `unknown`: the provider's response does not show whether the refund was made.
 */
export type RefundStatus =
  | { type: 'pending' | 'succeeded' | 'failed'; id: string | null }
  | { type: 'absent' }
  | { type: 'unknown'; reason: string }
