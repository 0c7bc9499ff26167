// Determines how the Owner's decision on unexpected money changes its record and its payment. Each receipt is
// credited at most once and refunded at most once. Pure.

import { fault } from '../faults/fault.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { hasOwnCredit, isOfOwnReceipt } from '../payments/record/plan-received-money.ts'
import {
  isReturn,
  nameOfReturn,
  type UnexpectedMoney,
  type UnexpectedStatus,
} from '../payments/record/unexpected-money.ts'
import { type Cents, toJsonNumber } from '../values/money.ts'

export type KeptMoney = UnexpectedMoney & { paymentCode: string | null }

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
export type Acceptance = { amount?: Cents | undefined; reason: string }

/**
 * Accepts a record. Reversals, and money that the ledger already has, are only acknowledged. Other money pays its
 * payment, whatever the amount, or is credited in addition if the payment is already paid. A refund or chargeback is
 * debited.
 */
export function acceptance(
  money: KeptMoney,
  payment: Payment | undefined,
  { amount, reason }: Acceptance,
): Decision {
  if (money.status !== 'open') throw decided(money)
  if (isReturn(money)) return acceptedReturn(money, payment, { amount, reason })
  if (amount !== undefined) throw fault('amount_of_payment', {}, { field: 'amount' })
  if (money.credited) return { status: 'accepted', credited: true }
  if (!payment) throw fault('money_unassigned', { or: 'refund' })
  if (isWhatPaid(payment, money)) return { status: 'accepted', credited: true }
  const sum = sumOf(money)
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
  money: KeptMoney,
  payment: Payment | undefined,
  { amount, reason }: Acceptance,
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
      reason: `${nameOfReturn(money)} at the provider, ${reason}`,
      unexpectedMoneyId: money.id,
    },
  }
}

/** Dismisses a refund or chargeback, so that it is not debited. */
export function dismissal(money: KeptMoney): Decision {
  if (!isReturn(money)) throw fault('money_not_dismissible', { kind: money.kind })
  if (money.status !== 'open') throw decided(money)
  return { status: 'dismissed', credited: false }
}

export type Refund = { amount: Cents | undefined; reason: string }

/**
 * Decides that the money was refunded to the payer. `otherParts` is whether the payment has other partial payments that
 * are undecided. `creditedBesides` is whether the ledger has a separate credit for this money, apart from the payment's
 * own. `takenBack` is whether the provider reversed the payment's own receipt after this money was received.
 */
export function refund(
  money: KeptMoney,
  payment: Payment | undefined,
  {
    otherParts,
    creditedBesides,
    takenBack,
  }: { otherParts: boolean; creditedBesides: boolean; takenBack: boolean },
  { amount, reason }: Refund,
): Decision {
  if (money.kind === 'reversal') throw fault('money_reversed')
  if (isReturn(money)) throw fault('money_returned')
  if (money.status === 'refunded') throw decided(money)
  const sum = sumOf(money)
  if (amount !== undefined && amount > sum)
    throw fault('refund_exceeds_received', { received: toJsonNumber(sum) }, { field: 'amount' })
  if (!money.credited) {
    if (amount !== undefined && amount !== sum)
      throw fault('refund_not_whole', { received: toJsonNumber(sum) }, { field: 'amount' })
    const isOver = money.kind === 'underpaid' && payment?.status === 'challenged' && !otherParts
    return { status: 'refunded', credited: false, ...(isOver && { event: { type: 'failed', reason } }) }
  }
  if (creditedBesides ? takenBack && payment && isTakenBackWith(payment, money) : payment?.reversedAt)
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
const defaultRefund = (money: KeptMoney): Cents =>
  money.kind === 'overpaid' && money.expectedAmount !== null
    ? sumOf(money) - money.expectedAmount
    : sumOf(money)

/** Whether a reversal of the payment also took back the money of this record. */
const isTakenBackWith = (payment: Payment, money: KeptMoney): boolean =>
  hasOwnCredit(money.kind) && isOfOwnReceipt(payment, money)

/** Whether the payment's own credit comes from the receipt of this money. */
const isWhatPaid = (payment: Payment, money: KeptMoney): boolean =>
  payment.status === 'paid' &&
  payment.paidReference === money.reference &&
  (payment.receipt ?? '') === money.receipt &&
  money.round === 1 &&
  money.fromAmount < (payment.amountPaid ?? 0n)

/** Returns the amount, in cents, of a record that is not a refund or chargeback. */
function sumOf({ id, amount }: KeptMoney): Cents {
  if (amount === null) throw new Error(`record ${id} has no amount`)
  return amount
}

const decided = ({ status, decidedAt, reason }: KeptMoney) =>
  fault('money_decided', { status, at: decidedAt?.toISOString() ?? null, reason: String(reason) })
