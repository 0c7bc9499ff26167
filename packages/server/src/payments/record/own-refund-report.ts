// Applies a provider's report about a refund that this service requested. A failed refund stays failed. If a report shows
// that its money may reach the payer after all, another refund is recorded (docs/decisions/0053-refunds.md).

import type { MoneyReturn } from '../../providers/provider.ts'
import { OTHER_AMOUNT } from '../../providers/refund-outcome.ts'
import type { PaymentKey } from '../payment.sql.ts'
import type { Batch } from './event-batch.ts'
import { recordOfReturn } from './plan-returned-money.ts'
import { recordRefund } from './record-refund.ts'
import { applyRefundEvent, failureAtProvider, type PaymentRefund, type RefundEvent } from './refund.ts'
import { isReturn, type UnexpectedMoney } from './unexpected-money.ts'

/**
 * If the provider's report is about a refund that this service requested, updates the refund and returns true.
 *
 * A failed refund stays failed, because its amount was credited back. If this report or an earlier one shows that the
 * payer may get the money of a failed refund after all, returns false. The caller then records or updates another
 * refund.
 */
export function recordOwnRefund(
  batch: Batch,
  input: PaymentKey & { cause: string },
  reference: string,
  reported: MoneyReturn,
): boolean {
  const refund = refundOfReport(batch, input, reported)
  if (!refund) return false
  const record = recordOfReturn(batch.recordsOf(input), reference, reported)
  const isRecordedAgain = record !== undefined && mayBeRecordOf(record, refund)
  if (refund.status === 'failed' && (isRecordedAgain || isNews(refund, reported))) return false
  recordRefund(
    batch,
    refund,
    applyRefundEvent(refund, eventOfReport(refund, reported), batch.at).refund,
    input.cause,
  )
  return true
}

/**
 * Returns whether the record of a report about a failed refund is about this refund. A record without an ID is, if the
 * provider has not reported an ID for the refund and the amounts are equal.
 */
const mayBeRecordOf = ({ receipt, amount }: UnexpectedMoney, refund: PaymentRefund): boolean =>
  receipt !== '' || (refund.providerRefundId === null && amount === refund.amount)

/**
 * Returns whether a report about a failed refund contains anything that the provider did not report before. Providers
 * repeat their reports, and an old one may arrive last. A provider's first report also contains its ID for the refund.
 */
function isNews(refund: PaymentRefund, { status }: MoneyReturn): boolean {
  switch (status) {
    case 'pending':
      return refund.providerRefundId === null && !refund.failedAtProvider
    case 'succeeded':
      return refund.succeededAt === null
    case 'failed':
      return false
  }
}

/**
 * Returns whether a reported refund has failed at the provider. A report of its success may then be older than its
 * failure.
 */
export const mayBeOutdated = (batch: Batch, key: PaymentKey, reported: MoneyReturn): boolean =>
  refundOfReport(batch, key, reported)?.failedAtProvider === true

/** Returns the payment's refunds that this service requested from the provider. */
const ownRefunds = (batch: Batch, key: PaymentKey): PaymentRefund[] =>
  batch.refundsOf(key).filter(each => each.method === 'provider' && each.unexpectedMoneyId === null)

const isNamed = (refund: PaymentRefund, { id, reference }: MoneyReturn): boolean =>
  (reference !== undefined && refund.reference === reference) ||
  (id !== null && refund.providerRefundId === id)

/**
 * Returns the reports in the order in which they must be applied: first those that name one of our refunds. Otherwise, a
 * report without our reference could be taken for a report about a refund that a later report names.
 */
export function namedFirst(batch: Batch, key: PaymentKey, reports: MoneyReturn[]): MoneyReturn[] {
  const own = ownRefunds(batch, key)
  const names = (reported: MoneyReturn) => own.some(each => isNamed(each, reported))
  return [...reports.filter(names), ...reports.filter(each => !names(each))]
}

/**
 * Finds the refund that a provider's report concerns, by our reference, the provider's id, or the amount. A pending
 * refund is preferred to a succeeded one.
 */
export function refundOfReport(
  batch: Batch,
  key: PaymentKey,
  reported: MoneyReturn,
): PaymentRefund | undefined {
  const { kind, id, reference, amount, status } = reported
  if (kind !== 'refund') return undefined
  const own = ownRefunds(batch, key)
  const named = own.find(each => isNamed(each, reported))
  if (named || reference !== undefined) return named
  const records = batch.recordsOf(key).filter(record => isReturn(record) && record.kind === kind)
  if (records.some(record => record.receipt === (id ?? '') && (id !== null || amount === null)))
    return undefined
  const unnamed = own.filter(
    each =>
      (each.status === 'pending' || (each.status === 'succeeded' && status !== 'failed')) &&
      (amount === null || each.amount === amount) &&
      (id === null || each.providerRefundId === null),
  )
  // A report without an ID and an amount decides a refund only if it cannot be about another refund. It may be a late or
  // repeated report about a refund that has succeeded before.
  const others = own.filter(each => each.status !== 'failed' || status === 'failed')
  if (id === null && amount === null && (others.length > 1 || records.length > 0))
    return unnamed.find(each => each.status === 'succeeded')
  return unnamed.find(each => each.status === 'pending') ?? unnamed[0]
}

/**
 * Returns the event for a provider's report about a refund. A report of a different amount is about another refund, which
 * had the same reference before a backup was restored. It shows no outcome of this refund.
 */
function eventOfReport(refund: PaymentRefund, { id, status, amount }: MoneyReturn): RefundEvent {
  if (amount !== null && amount !== refund.amount) return { type: 'outcome_unknown', reason: OTHER_AMOUNT }
  switch (status) {
    case 'pending':
      return { type: 'accepted', providerRefundId: id }
    case 'succeeded':
      return { type: 'succeeded', providerRefundId: id }
    case 'failed':
      return failureAtProvider(id)
  }
}
