// What the Owner's word on unexpected money does: to its record, and as an event to its payment. Each receipt is
// credited once and given back once. Pure.

import { GatewayError } from '../errors.ts'
import type { Cents } from '../money.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import { hasOwnCredit, isOfOwnReceipt } from '../payments/plan-event.ts'
import {
  isReturn,
  nameOfReturn,
  type UnexpectedMoney,
  type UnexpectedStatus,
} from '../payments/unexpected-money.ts'

export type KeptMoney = UnexpectedMoney & { paymentCode: string | null }

/**
 * credited: whether the ledger has the money afterwards. amount: where the decision says how much it is. Without an
 * event the payment stays as it is.
 */
export type Decision = {
  status: Exclude<UnexpectedStatus, 'open'>
  credited: boolean
  amount?: Cents
  event?: PaymentEvent
}

/** amount: of a return, where the provider did not report it. */
export type Acceptance = { amount?: Cents | undefined; reason: string }

/**
 * Money that the ledger has, and a reversal, are acknowledged. Other money pays its payment, whatever the amount,
 * or is credited in addition. A refund or chargeback is debited.
 */
export function acceptance(
  money: KeptMoney,
  payment: Payment | undefined,
  { amount, reason }: Acceptance,
): Decision {
  if (money.status !== 'open') throw decided(money)
  if (isReturn(money)) return acceptedReturn(money, payment, { amount, reason })
  if (amount !== undefined)
    throw new GatewayError('BAD_REQUEST', 'amount: can be given for a refund or chargeback only')
  if (money.credited) return { status: 'accepted', credited: true }
  if (!payment) throw unassigned('assign it to a payment, or refund it')
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
    throw new GatewayError('BAD_REQUEST', `amount: the provider reported ${money.amount} cents`)
  const sum = money.amount ?? amount
  if (sum === undefined)
    throw new GatewayError('BAD_REQUEST', 'amount: is required, the provider did not report it')
  if (!payment) throw unassigned('assign it to a payment, or dismiss it')
  if (payment.status !== 'paid')
    throw new GatewayError(
      'CONFLICT',
      `payment ${payment.paymentCode} is ${payment.status}, so nothing was credited that could be debited; dismiss the record, or wait until the payment is paid`,
    )
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

/** A refund or chargeback that is not to be debited. */
export function dismissal(money: KeptMoney): Decision {
  if (!isReturn(money))
    throw new GatewayError(
      'CONFLICT',
      `only a refund or a chargeback can be dismissed; this is ${money.kind}`,
    )
  if (money.status !== 'open') throw decided(money)
  return { status: 'dismissed', credited: false }
}

export type Refund = { amount: Cents | undefined; reason: string }

/**
 * otherParts: whether more of the payment's amount came in parts that nobody has decided on. creditedBesides: whether
 * the ledger has a credit of this money alone, apart from the payment's own. takenBack: whether the provider took the
 * payment's own receipt back after this money had come.
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
  if (money.kind === 'reversal')
    throw new GatewayError(
      'CONFLICT',
      'the provider has taken this back already; a reversal can be accepted only',
    )
  if (isReturn(money))
    throw new GatewayError(
      'CONFLICT',
      'the provider reports that this went back to the payer; accept it, or dismiss it',
    )
  if (money.status === 'refunded') throw decided(money)
  const sum = sumOf(money)
  if (amount !== undefined && amount > sum)
    throw new GatewayError('BAD_REQUEST', `amount: is more than the ${sum} cents that arrived`)
  if (!money.credited) {
    if (amount !== undefined && amount !== sum)
      throw new GatewayError('BAD_REQUEST', `amount: must be all ${sum} cents, since none of it was credited`)
    const isOver = money.kind === 'underpaid' && payment?.status === 'challenged' && !otherParts
    return { status: 'refunded', credited: false, ...(isOver && { event: { type: 'failed', reason } }) }
  }
  if (creditedBesides ? takenBack && payment && isTakenBackWith(payment, money) : payment?.reversedAt)
    throw new GatewayError(
      'CONFLICT',
      'the provider has taken back what paid this payment; the ledger has the debit',
    )
  const event: PaymentEvent = {
    type: 'refunded',
    amount: amount ?? defaultRefund(money),
    reason,
    unexpectedMoneyId: money.id,
  }
  return { status: 'refunded', credited: true, event }
}

/** What nobody agreed on: of too much the excess, otherwise all. */
const defaultRefund = (money: KeptMoney): Cents =>
  money.kind === 'overpaid' && money.expectedAmount !== null
    ? sumOf(money) - money.expectedAmount
    : sumOf(money)

/** Whether a reversal of the payment took this money back as well. */
const isTakenBackWith = (payment: Payment, money: KeptMoney): boolean =>
  hasOwnCredit(money.kind) && isOfOwnReceipt(payment, money)

/** Whether the payment's own credit is of this very arrival. */
const isWhatPaid = (payment: Payment, money: KeptMoney): boolean =>
  payment.status === 'paid' &&
  payment.paidReference === money.reference &&
  (payment.receipt ?? '') === money.receipt &&
  money.round === 1 &&
  money.fromAmount < (payment.amountPaid ?? 0n)

/** Cents of a record that is no return. */
function sumOf({ id, amount }: KeptMoney): Cents {
  if (amount === null) throw new Error(`record ${id} has no amount`)
  return amount
}

const unassigned = (what: string) =>
  new GatewayError('CONFLICT', `it is not known which payment this money is for; ${what}`)

const decided = ({ status, decidedAt, reason }: KeptMoney) =>
  new GatewayError('CONFLICT', `it was ${status} at ${decidedAt?.toISOString()}: ${reason}`)
