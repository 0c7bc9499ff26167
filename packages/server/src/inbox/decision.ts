// Determines how the decision of the Owner (the operator) on unexpected money changes the payment and the record of
// this money. Each record has at most one credit, and at most one refund that has not failed.

import { fault } from '../faults/fault.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { isOfOwnReceipt } from '../payments/record/plan-received-money.ts'
import type { BankAccount, RefundSource, RefundState } from '../payments/record/refund.ts'
import { isReturn, type UnexpectedMoney, type UnexpectedStatus } from '../payments/record/unexpected-money.ts'
import { type Cents, toJsonNumber } from '../values/money.ts'

/**
 * A record of unexpected money. `refundId` and `refundStatus` describe the latest refund of this money. In a record of
 * returned money, these fields describe the refund that the provider reported.
 */
export type UnexpectedMoneyRow = UnexpectedMoney & {
  paymentCode: string | null
  refundId: string | null
  refundStatus: RefundState | null
}

/**
 * The effect of the Owner's decision on a record of unexpected money. `credited` is true if the ledger then
 * contains the money. `amount` and `event` are set only if the decision changes the amount or the payment.
 */
export type Decision = {
  status: Exclude<UnexpectedStatus, 'open'>
  credited: boolean
  amount?: Cents
  event?: PaymentEvent
  /**
   * The amount to debit from the merchant's balance. It is set only if the Owner accepts a refund or
   * chargeback that was made at the provider.
   */
  debit?: Cents
}

/**
 * A decision to refund unexpected money. If the money belongs to no known payment, `refund` is absent, and
 * the Owner returns the money outside this service.
 */
export type RefundDecision = Decision & { refund?: { amount: Cents; source: RefundSource } }

/**
 * The request of the Owner (the operator) to accept an unexpected money record. `amount` is required if the
 * provider reported a refund or chargeback without an amount.
 */
export type AcceptRequest = { amount?: Cents | undefined; reason: string }

/**
 * Returns what changes if the operator accepts an unexpected money record:
 *
 * - A reversal, or money that is already in the ledger: only the record's status changes, to accepted.
 * - Received money that is not in the ledger yet: its payment becomes paid, regardless of the amount. A payment that is
 *   already paid gets an additional credit.
 * - A refund or chargeback that the provider reported: its amount is debited from the merchant's balance.
 */
export function decideAcceptance(
  money: UnexpectedMoneyRow,
  payment: Payment | undefined,
  { amount }: AcceptRequest,
): Decision {
  if (money.status !== 'open') throw alreadyDecided(money)
  if (isReturn(money)) return acceptedReturn(money, payment, amount)
  if (amount !== undefined) throw fault('amount_of_payment', {}, { field: 'amount' })
  if (money.credited) return { status: 'accepted', credited: true }
  if (!payment) throw fault('money_unassigned', { or: 'refund' })
  if (isPaymentCredit(payment, money)) return { status: 'accepted', credited: true }
  const sum = amountOf(money)
  const event: PaymentEvent =
    payment.status === 'paid'
      ? { type: 'paid_again', amount: sum, unexpectedMoneyId: money.id }
      : {
          type: 'paid',
          amountPaid: sum,
          paidAt: money.paidAt,
          reference: money.reference,
          ...(money.receipt !== '' && { receipt: money.receipt }),
          acceptedId: money.id,
          ...(money.kind === 'unknown_reference' && { assignedFrom: money.providerAccountId }),
        }
  return { status: 'accepted', credited: true, event }
}

function acceptedReturn(
  money: UnexpectedMoneyRow,
  payment: Payment | undefined,
  amount: Cents | undefined,
): Decision {
  if (money.amount !== null && amount !== undefined && amount !== money.amount)
    throw fault('amount_reported', { amount: toJsonNumber(money.amount) }, { field: 'amount' })
  const sum = money.amount ?? amount
  if (sum === undefined) throw fault('amount_not_reported', {}, { field: 'amount' })
  if (!payment) throw fault('money_unassigned', { or: 'dismiss' })
  if (payment.status !== 'paid')
    throw fault('payment_not_paid', { paymentCode: payment.paymentCode, status: payment.status })
  return {
    status: 'accepted',
    credited: true,
    amount: sum,
    debit: sum,
  }
}

/**
 * Dismisses a record of unexpected money without a ledger entry: a reported refund or chargeback is not debited from
 * the merchant, and unconfirmed money is not credited.
 */
export function decideDismissal(money: UnexpectedMoneyRow): Decision {
  if (!isReturn(money) && money.kind !== 'unconfirmed')
    throw fault('money_not_dismissible', { kind: money.kind })
  if (money.status !== 'open') throw alreadyDecided(money)
  // The operator credited this money before, and its refund failed.
  if (money.credited) throw fault('money_not_dismissible', { kind: money.kind })
  return { status: 'dismissed', credited: false }
}

export type RefundRequest = {
  amount: Cents | undefined
  reason: string
  /**
   * The payer's bank account that the Owner (the operator) transfers the money to. Undefined if the
   * provider makes the refund.
   */
  bankAccount: BankAccount | undefined
}

/**
 * The facts on which a refund decision depends. `records` contains all unexpected money records of the
 * payment. `isSeparatelyCredited` is true if the money was credited in addition to the payment's own credit.
 */
export type RefundFacts = { records: readonly UnexpectedMoney[]; isSeparatelyCredited: boolean }

/**
 * Returns what changes if the Owner (the operator) refunds the money to the payer. Throws an error if the
 * money cannot be refunded.
 */
export function decideRefund(
  money: UnexpectedMoneyRow,
  payment: Payment | undefined,
  { records, isSeparatelyCredited }: RefundFacts,
  { amount, reason }: Pick<RefundRequest, 'amount' | 'reason'>,
): RefundDecision {
  if (money.kind === 'reversal') throw fault('money_reversed')
  if (isReturn(money)) throw fault('money_returned')
  if (money.status === 'refunded' || money.status === 'dismissed') throw alreadyDecided(money)
  if (money.kind === 'unconfirmed' && !money.credited) throw fault('money_unconfirmed')
  const sum = amountOf(money)
  if (amount !== undefined && amount > sum)
    throw fault('refund_exceeds_received', { received: toJsonNumber(sum) }, { field: 'amount' })
  if (!money.credited) {
    if (amount !== undefined && amount !== sum)
      throw fault('refund_not_whole', { received: toJsonNumber(sum) }, { field: 'amount' })
    const isOver =
      money.kind === 'underpaid' && payment?.status === 'challenged' && !hasOtherOpenParts(money, records)
    return {
      status: 'refunded',
      credited: false,
      ...(isOver && { event: { type: 'failed', reason } }),
      ...(payment && { refund: { amount: sum, source: 'uncredited' } }),
    }
  }
  if (isTakenBack(money, payment, { records, isSeparatelyCredited })) throw fault('payment_reversed')
  const source = isSeparatelyCredited ? 'separate_credit' : 'amount_paid'
  return {
    status: 'refunded',
    credited: true,
    refund: { amount: amount ?? defaultRefund(money), source },
  }
}

/** Returns whether another partial payment of the same payment is waiting for the Owner's decision. */
const hasOtherOpenParts = ({ id }: UnexpectedMoneyRow, records: readonly UnexpectedMoney[]): boolean =>
  records.some(other => other.kind === 'underpaid' && other.status === 'open' && other.id !== id)

/**
 * Returns whether the provider has already taken back the credited money. A reversal takes back the credit
 * for the payment, and all earlier separate credits for the same receipt.
 */
function isTakenBack(
  money: UnexpectedMoneyRow,
  payment: Payment | undefined,
  { records, isSeparatelyCredited }: RefundFacts,
): boolean {
  if (!payment) return false
  if (!isSeparatelyCredited) return payment.reversedAt !== null
  const isReversedLater = records.some(({ kind, round }) => kind === 'reversal' && round >= money.round)
  return isReversedLater && isOfOwnReceipt(payment, money)
}

/**
 * Returns the default refund amount for a record of unexpected money. For an overpayment, it is the excess. For
 * any other record, it is the whole amount.
 */
const defaultRefund = (money: UnexpectedMoneyRow): Cents =>
  money.kind === 'overpaid' && money.expectedAmount !== null
    ? amountOf(money) - money.expectedAmount
    : amountOf(money)

/**
 * Returns whether the money of this record is part of the payment's own credit. A partial payment that has a refund is
 * never part of this credit. While its refund was pending, only other money could make the payment paid.
 */
const isPaymentCredit = (payment: Payment, money: UnexpectedMoneyRow): boolean =>
  payment.status === 'paid' &&
  money.refundId === null &&
  payment.paidReference === money.reference &&
  (payment.receipt ?? '') === money.receipt &&
  money.round === 1 &&
  money.fromAmount < (payment.amountPaid ?? 0n)

/**
 * Returns the amount of the record. Throws an error if the provider reported a refund or chargeback without an amount.
 */
function amountOf({ id, amount }: UnexpectedMoneyRow): Cents {
  if (amount === null) throw new Error(`record ${id} has no amount`)
  return amount
}

const alreadyDecided = ({ status, decidedAt, reason }: UnexpectedMoneyRow) =>
  fault('money_decided', { status, at: decidedAt?.toISOString() ?? null, reason: String(reason) })
