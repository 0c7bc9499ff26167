// Determines how the Owner's decision on unexpected money changes the record and the payment. Each receipt is credited
// at most once and refunded at most once.

import { fault } from '../faults/fault.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { hasOwnCredit, isOfOwnReceipt } from '../payments/record/plan-received-money.ts'
import {
  isReturn,
  returnName,
  type UnexpectedMoney,
  type UnexpectedStatus,
} from '../payments/record/unexpected-money.ts'
import { type Cents, toJsonNumber } from '../values/money.ts'

export type UnexpectedMoneyRow = UnexpectedMoney & { paymentCode: string | null }

/**
 * A decision about unexpected money. `credited` is whether the ledger has the money afterwards. `amount` is set if the
 * decision determines the amount. Without an `event` the payment stays unchanged.
 */
export type Decision = {
  status: Exclude<UnexpectedStatus, 'open'>
  credited: boolean
  amount?: Cents
  event?: PaymentEvent
}

/**
 * The Owner's acceptance. `amount` is the amount of a refund or chargeback whose amount the provider did not report.
 */
export type AcceptRequest = { amount?: Cents | undefined; reason: string }

/**
 * Accepts a record. Reversals, and money that the ledger already has, are only acknowledged. Other money pays its
 * payment, whatever the amount, or is credited in addition if the payment is already paid. A refund or chargeback is
 * debited.
 */
export function decideAcceptance(
  money: UnexpectedMoneyRow,
  payment: Payment | undefined,
  { amount, reason }: AcceptRequest,
): Decision {
  if (money.status !== 'open') throw alreadyDecided(money)
  if (isReturn(money)) return acceptedReturn(money, payment, { amount, reason })
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
        }
  return { status: 'accepted', credited: true, event }
}

function acceptedReturn(
  money: UnexpectedMoneyRow,
  payment: Payment | undefined,
  { amount, reason }: AcceptRequest,
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
    event: {
      type: 'refunded',
      amount: sum,
      reason: `${returnName(money)} at the provider, ${reason}`,
      unexpectedMoneyId: money.id,
    },
  }
}

/** Dismisses a refund or chargeback, so that it is not debited. */
export function decideDismissal(money: UnexpectedMoneyRow): Decision {
  if (!isReturn(money)) throw fault('money_not_dismissible', { kind: money.kind })
  if (money.status !== 'open') throw alreadyDecided(money)
  return { status: 'dismissed', credited: false }
}

export type RefundRequest = { amount: Cents | undefined; reason: string }

/**
 * Decides that the money was refunded to the payer. `otherParts`: the payment has other undecided partial payments.
 * `creditedBesides`: the ledger has a credit for this money apart from the payment's own. `takenBack`: the provider
 * reversed the payment's own receipt after this money was received.
 */
export function decideRefund(
  money: UnexpectedMoneyRow,
  payment: Payment | undefined,
  {
    otherParts,
    creditedBesides,
    takenBack,
  }: { otherParts: boolean; creditedBesides: boolean; takenBack: boolean },
  { amount, reason }: RefundRequest,
): Decision {
  if (money.kind === 'reversal') throw fault('money_reversed')
  if (isReturn(money)) throw fault('money_returned')
  if (money.status === 'refunded') throw alreadyDecided(money)
  const sum = amountOf(money)
  if (amount !== undefined && amount > sum)
    throw fault('refund_exceeds_received', { received: toJsonNumber(sum) }, { field: 'amount' })
  if (!money.credited) {
    if (amount !== undefined && amount !== sum)
      throw fault('refund_not_whole', { received: toJsonNumber(sum) }, { field: 'amount' })
    const isOver = money.kind === 'underpaid' && payment?.status === 'challenged' && !otherParts
    return { status: 'refunded', credited: false, ...(isOver && { event: { type: 'failed', reason } }) }
  }
  if (creditedBesides ? takenBack && payment && isReversedWith(payment, money) : payment?.reversedAt)
    throw fault('payment_reversed')
  const event: PaymentEvent = {
    type: 'refunded',
    amount: amount ?? defaultRefund(money),
    reason,
    unexpectedMoneyId: money.id,
  }
  return { status: 'refunded', credited: true, event }
}

/** Returns the amount of a refund if the Owner names none: the excess of an overpayment, or else the whole amount. */
const defaultRefund = (money: UnexpectedMoneyRow): Cents =>
  money.kind === 'overpaid' && money.expectedAmount !== null
    ? amountOf(money) - money.expectedAmount
    : amountOf(money)

/** Returns whether a reversal of the payment also took back the money of this record. */
const isReversedWith = (payment: Payment, money: UnexpectedMoneyRow): boolean =>
  hasOwnCredit(money.kind) && isOfOwnReceipt(payment, money)

/** Returns whether the payment's own credit comes from the receipt of this money. */
const isPaymentCredit = (payment: Payment, money: UnexpectedMoneyRow): boolean =>
  payment.status === 'paid' &&
  payment.paidReference === money.reference &&
  (payment.receipt ?? '') === money.receipt &&
  money.round === 1 &&
  money.fromAmount < (payment.amountPaid ?? 0n)

/** Returns the amount, in cents, of a record that is not a refund or chargeback. */
function amountOf({ id, amount }: UnexpectedMoneyRow): Cents {
  if (amount === null) throw new Error(`record ${id} has no amount`)
  return amount
}

const alreadyDecided = ({ status, decidedAt, reason }: UnexpectedMoneyRow) =>
  fault('money_decided', { status, at: decidedAt?.toISOString() ?? null, reason: String(reason) })
