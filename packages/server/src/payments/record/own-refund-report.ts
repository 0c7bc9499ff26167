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
 * If the provider's report is about a refund that this service requested, updates the refund and returns true. A failed
 * refund stays failed, because its amount was credited back. If this report or an earlier one shows that the payer may
 * get the refund's money after all, returns false. The caller then records or updates another refund.
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

/**
 * Finds the refund that a provider's report concerns, by our reference, the provider's id, or the amount. A pending
 * refund is preferred to a succeeded one.
 */
export function refundOfReport(
  batch: Batch,
  key: PaymentKey,
  { kind, id, reference, amount, status }: MoneyReturn,
): PaymentRefund | undefined {
  if (kind !== 'refund') return undefined
  const own = batch
    .refundsOf(key)
    .filter(each => each.method === 'provider' && each.unexpectedMoneyId === null)
  const named = own.find(
    each =>
      (reference !== undefined && each.reference === reference) ||
      (id !== null && each.providerRefundId === id),
  )
  if (named || reference !== undefined) return named
  if (batch.recordsOf(key).some(record => isReturn(record) && id !== null && record.receipt === id))
    return undefined
  const unnamed = own.filter(
    each =>
      (each.status === 'pending' || (each.status === 'succeeded' && status !== 'failed')) &&
      (amount === null || each.amount === amount) &&
      (id === null || each.providerRefundId === null),
  )
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
