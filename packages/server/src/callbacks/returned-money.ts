// Decides which refunds and chargebacks ("returns") from a callback are recorded. If only a constant token authenticates
// the callback, it may be forged, so a status inquiry must confirm a return of a large amount, or one that would credit
// the merchant.

import type { Payment } from '../payments/payment.ts'
import type { ReportedReturns } from '../payments/record/event-batch.ts'
import type { MoneyReturn } from '../providers/provider.ts'
import type { CallbackMessage } from './callback-message.ts'

type Message = Pick<CallbackMessage, 'update' | 'returnsConfirmedAbove' | 'response'>

/**
 * Returns whether a status inquiry must confirm the message's refunds and chargebacks. The payment's amount counts,
 * too, because a forged message may name a large refund but contain a small amount. A report that a return failed
 * always needs confirmation, because it credits the merchant.
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
 * Returns the refunds and chargebacks to record. If they need confirmation, they come from the status inquiry, and
 * those that the inquiry does not list are unconfirmed. Otherwise, the message and the inquiry may both report the same
 * refund, but the inquiry may report more details about it.
 */
export function returnsToRecord(message: Message, payment: Payment): Omit<ReportedReturns, 'reference'> {
  const { update, response } = message
  if (isOlderThanWonChargeback(message, payment)) return { returns: [] }
  const listed = listedReturns(message)
  if (!needsReturnsConfirmed(message, payment)) return { returns: [...(update.returns ?? []), ...listed] }
  return response === undefined ? { returns: [] } : { returns: listed, unconfirmed: unlistedReturns(message) }
}

/**
 * Returns whether the status inquiry was sent before the operator recorded a chargeback as won. The result may list this
 * chargeback although it is older than the operator's decision, so another inquiry is needed.
 */
export const isOlderThanWonChargeback = (
  message: Message,
  { amountReversed }: Pick<Payment, 'amountReversed'>,
): boolean =>
  message.response !== undefined &&
  amountReversed < message.response.inquired.amountReversed &&
  listedReturns(message).some(({ kind }) => kind === 'chargeback')

/**
 * Describes the message's refunds and chargebacks that the status inquiry did not confirm. Returns undefined if all are
 * confirmed or none needs confirmation.
 */
export function unconfirmedReason(message: Message, payment: Payment): string | undefined {
  if (message.response === undefined || !needsReturnsConfirmed(message, payment)) return undefined
  const [first] = (message.update.returns ?? []).filter(each => !isConfirmed(message, each))
  return first && `status inquiry: the provider does not confirm that the ${first.kind} is ${first.status}`
}

/** Returns whether the status inquiry lists every reported refund and chargeback with its reported or a later status. */
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
