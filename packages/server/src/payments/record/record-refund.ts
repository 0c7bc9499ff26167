// Adds a changed refund to a batch, together with its transfers in the tenant's double-entry ledger (docs/book.md).
// Also adds the webhook and an entry in the payment's timeline.

import type { Account } from '../../ledger/account.ts'
import { entryTypeOf, type Movement, type Transfer, transfer } from '../../ledger/transfer.ts'
import { webhookEvent } from '../../webhooks/event.ts'
import type { PaymentEventType } from '../../webhooks/event-type.ts'
import { type Payment, shownStatus } from '../payment.ts'
import { viewPayment } from '../payment-view.ts'
import type { Batch } from './event-batch.ts'
import { isOfOwnReceipt } from './plan-received-money.ts'
import { isRequestedHere, type PaymentRefund } from './refund.ts'
import { viewRefund } from './refund-view.ts'

/**
 * Records a refund that is new (`before` is undefined) or has changed. The payment must be locked. If the status
 * has not changed, only the refund's row is updated.
 */
export function recordRefund(
  batch: Batch,
  before: PaymentRefund | undefined,
  refund: PaymentRefund,
  cause: string,
): void {
  if (before === refund) return
  batch.putRefund(refund)
  if (before?.status === refund.status) return
  const { tenantId, paymentId, mode, reference: referenceId, unexpectedMoneyId } = refund
  const payment = batch.paymentOf(refund)
  const next = withTotals(payment, before, refund, batch.at)
  batch.setPayment(payment, next)
  const detail = describe(refund)
  const transfers = movements(before, refund).map(
    (moved): Transfer => ({
      ...moved,
      ...{ tenantId, mode, paymentId, unexpectedMoneyId, referenceId, reason: detail },
      ...(entryTypeOf(moved) !== undefined && { refundId: refund.id }),
    }),
  )
  for (const each of transfers) batch.addTransfer(each)
  batch.changeFee(payment, next, refund)
  batch.transitions.push({
    ...{ tenantId, paymentId, number: next.transitionCount, at: batch.at },
    ...{ from: payment.status, to: payment.status, cause, detail },
  })
  if (refund.status === 'failed' && refund.refundedMoneyId !== null) reopenMoney(batch, refund)
  const type = webhookTypeOf(refund)
  if (!type) return
  const entryType = type === 'refund.failed' ? 'credit' : 'debit'
  const reason = debitReason(refund, entryType)
  const entry = { entryType, amount: refund.amount, referenceId, reason } as const
  batch.events.push(
    webhookEvent(
      next,
      viewPayment(next),
      type,
      shownStatus(payment.status),
      batch.at,
      entry,
      viewRefund(refund),
    ),
  )
}

/**
 * Reopens the record of unexpected money after its refund failed, so that the operator can decide on the money again.
 * If the provider has reversed the money (taken it back), there is nothing left to decide, so the record stays closed.
 */
function reopenMoney(batch: Batch, refund: PaymentRefund): void {
  const records = batch.recordsOf(refund)
  const record = records.find(({ id }) => id === refund.refundedMoneyId)
  if (!record) throw new Error(`the record of the refunded money is not loaded for refund ${refund.id}`)
  const isTakenBack =
    isOfOwnReceipt(batch.paymentOf(refund), record) &&
    records.some(({ kind, round }) => kind === 'reversal' && round >= record.round)
  if (!isTakenBack) batch.putRecords([{ ...record, status: 'open', decidedAt: null, reason: null }])
}

/**
 * Returns the account from which a refund is debited, which is normally the merchant's account. If the refunded money
 * was never credited to the merchant, returns the provider's account, which still contains the money.
 */
const sourceOf = ({ source, providerAccountId }: PaymentRefund): Account =>
  source === 'uncredited' ? `provider:${providerAccountId}` : 'merchant'

/**
 * Returns the ledger account to which a refund's amount is transferred. While a refund that this service
 * requested is pending, this is the account for refunds in transit. Otherwise, it is the account from which
 * the payer was paid.
 */
function holderOf({ origin, method, status, providerAccountId }: PaymentRefund): Account {
  if (!isRequestedHere(origin)) return 'provider'
  if (status === 'pending') return 'refunds_in_transit'
  return method === 'manual' ? 'adjustment' : `provider:${providerAccountId}`
}

/**
 * Returns the transfers for a new or changed refund. A new refund is debited. A failed refund is credited back from
 * the ledger account that received its debit.
 */
function movements(before: PaymentRefund | undefined, refund: PaymentRefund): Movement[] {
  const { amount, status } = refund
  const source = sourceOf(refund)
  const debit = before ? [] : [transfer(source, holderOf({ ...refund, status: 'pending' }), amount)]
  const from = holderOf(before ?? { ...refund, status: 'pending' })
  const to = status === 'failed' ? source : holderOf(refund)
  return [...debit, ...(from === to ? [] : [transfer(from, to, amount)])]
}

/**
 * Returns the payment with the refund added to its totals. In the database, the triggers from migration 0048 update
 * the totals in the same way.
 */
function withTotals(
  payment: Payment,
  before: PaymentRefund | undefined,
  refund: PaymentRefund,
  at: Date,
): Payment {
  const counted = (each: PaymentRefund | undefined) =>
    each?.status === 'succeeded' && each.source === 'amount_paid' ? each.amount : 0n
  const change = counted(refund) - counted(before)
  const isChargeback = refund.origin === 'chargeback'
  return {
    ...payment,
    amountRefunded: payment.amountRefunded + (isChargeback ? 0n : change),
    amountReversed: payment.amountReversed + (isChargeback ? change : 0n),
    transitionCount: payment.transitionCount + 1,
    updatedAt: at,
  }
}

function webhookTypeOf({ status, origin, source }: PaymentRefund): PaymentEventType | undefined {
  // This money was never in the merchant's balance, so the merchant gets no webhook about the refund.
  if (status === 'pending' || source === 'uncredited') return undefined
  if (status === 'failed') return 'refund.failed'
  return origin === 'chargeback' ? 'payment.reversed' : 'payment.refunded'
}

const nameOf = ({ origin, reference, providerRefundId }: PaymentRefund): string => {
  if (isRequestedHere(origin)) return `refund ${reference}`
  return `${origin === 'chargeback' ? 'chargeback' : 'refund'} ${providerRefundId ?? reference} at the provider`
}

function describe(refund: PaymentRefund): string {
  const because = refund.reason === '' ? '' : `: ${refund.reason}`
  switch (refund.status) {
    case 'pending':
      return `${nameOf(refund)} requested${because}`
    case 'succeeded':
      return `${nameOf(refund)} succeeded${because}`
    case 'failed':
      return `${nameOf(refund)} failed: ${refund.failureReason ?? 'no reason given'}`
  }
}

const debitReason = (refund: PaymentRefund, entryType: 'credit' | 'debit'): string =>
  entryType === 'credit' ? describe(refund) : describe({ ...refund, status: 'pending' })
