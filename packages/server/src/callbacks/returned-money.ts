// Decides which refunds and chargebacks ("returns") from a callback are recorded. A callback that only a constant token
// authenticates may be forged. A status inquiry must then confirm a return of a large amount, or a return that would
// credit the merchant.

import type { Payment } from '../payments/payment.ts'
import type { ReportedReturns } from '../payments/record/event-batch.ts'
import type { MoneyReturn } from '../providers/provider.ts'
import type { CallbackMessage } from './callback-message.ts'

type Message = Pick<CallbackMessage, 'update' | 'returnsConfirmedAbove' | 'response'>

/**
 * Returns whether a status inquiry must confirm the message's refunds and chargebacks. The limit is compared with their
 * amounts, and also with the payment's amount, because a forged message can state a small refund. If there is a limit,
 * a failed refund or chargeback always needs confirmation, because it credits the merchant.
 */
export function needsReturnsConfirmed(
  { update: { returns = [] }, returnsConfirmedAbove: limit = null }: Message,
  { amount, amountPaid }: Pick<Payment, 'amount' | 'amountPaid'>,
): boolean {
  if (limit === null || returns.length === 0) return false
  return (
    (amountPaid ?? amount) > limit ||
    returns.some(each => each.status === 'failed' || each.amount === null || each.amount > limit)
  )
}

/**
 * Returns the refunds and chargebacks to record.
 *
 * - If the message needs no confirmation, returns the refunds and chargebacks in the message and in the status inquiry.
 *   The same refund can be in both lists, because the inquiry may contain more details.
 * - If the message needs confirmation, returns the refunds and chargebacks in the inquiry. `unconfirmed` contains those
 *   that only the message reports.
 */
export function returnsToRecord(message: Message, payment: Payment): Omit<ReportedReturns, 'reference'> {
  const { update, response } = message
  if (isOlderThanWonChargeback(message, payment)) return { returns: [] }
  const listed = listedReturns(message)
  if (!needsReturnsConfirmed(message, payment)) return { returns: [...(update.returns ?? []), ...listed] }
  return response === undefined ? { returns: [] } : { returns: listed, unconfirmed: unlistedReturns(message) }
}

/**
 * Returns whether the operator recorded a chargeback as won after the status inquiry was sent. The result of the
 * inquiry may still list the chargeback, so another inquiry is needed.
 */
export const isOlderThanWonChargeback = (
  message: Message,
  { amountReversed }: Pick<Payment, 'amountReversed'>,
): boolean =>
  message.response !== undefined &&
  amountReversed < message.response.inquired.amountReversed &&
  listedReturns(message).some(({ kind }) => kind === 'chargeback')

/**
 * Returns a text about a refund or chargeback in the message that the status inquiry did not confirm. Returns undefined
 * if all of them are confirmed, or if they need no confirmation.
 */
export function unconfirmedReason(message: Message, payment: Payment): string | undefined {
  if (message.response === undefined || !needsReturnsConfirmed(message, payment)) return undefined
  const [first] = (message.update.returns ?? []).filter(each => !isConfirmed(message, each))
  return first && `status inquiry: the provider does not confirm that the ${first.kind} is ${first.status}`
}

/**
 * Returns whether the status inquiry confirms every refund and chargeback that the callback reports, with the same
 * status or a later one.
 */
export const confirmsReturns = (message: Message): boolean =>
  (message.update.returns ?? []).every(each => isConfirmed(message, each))

const isConfirmed = (message: Message, reported: MoneyReturn): boolean =>
  listedReturns(message).some(
    each => isSame(each, reported) && [each.status, 'pending'].includes(reported.status),
  )

const unlistedReturns = (message: Message): MoneyReturn[] =>
  (message.update.returns ?? []).filter(
    reported => !listedReturns(message).some(each => isSame(each, reported)),
  )

const listedReturns = ({ response }: Message): MoneyReturn[] =>
  response !== undefined && typeof response.result !== 'string' ? (response.result.returns ?? []) : []

const isSame = (listed: MoneyReturn, reported: MoneyReturn): boolean =>
  listed.kind === reported.kind &&
  ((reported.id !== null && listed.id === reported.id) ||
    (reported.reference !== undefined && listed.reference === reported.reference))
