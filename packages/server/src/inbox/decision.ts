// What the Owner's word on unexpected money does: to its record, and as an event to its payment. Each receipt is
// credited once and given back once. Pure.

import { GatewayError } from '../errors.ts'
import type { Cents } from '../money.ts'
import type { Payment, PaymentEvent } from '../payments/payment.ts'
import type { UnexpectedMoney, UnexpectedStatus } from '../payments/unexpected-money.ts'

export type KeptMoney = UnexpectedMoney & {
  status: UnexpectedStatus
  paymentCode: string | null
  decidedAt: Date | null
  reason: string | null
}

/** credited: whether the ledger has the money afterwards. Without an event the payment stays as it is. */
export type Decision = { status: 'accepted' | 'refunded'; credited: boolean; event?: PaymentEvent }

/**
 * Money that the ledger has, and a reversal, are acknowledged. Other money pays its payment, whatever the amount,
 * or is credited besides what paid it.
 */
export function acceptance(money: KeptMoney, payment: Payment | undefined): Decision {
  if (money.status !== 'open') throw decided(money)
  if (money.credited) return { status: 'accepted', credited: true }
  if (!payment)
    throw new GatewayError(
      'CONFLICT',
      'nobody knows whose money this is; assign it to a payment, or refund it',
    )
  if (isWhatPaid(payment, money)) return { status: 'accepted', credited: true }
  const event: PaymentEvent =
    payment.status === 'paid'
      ? { type: 'paid_again', amount: money.amount, unexpectedMoneyId: money.id }
      : {
          type: 'paid',
          amountPaid: money.amount,
          paidAt: money.paidAt,
          reference: money.reference,
          ...(money.receipt !== '' && { receipt: money.receipt }),
          acceptedId: money.id,
        }
  return { status: 'accepted', credited: true, event }
}

export type Refund = { amount: Cents | undefined; reason: string }

/**
 * otherParts: whether more of the payment's amount came in parts that nobody has decided on. creditedBesides: whether
 * the ledger has a credit of this money alone, apart from the payment's own.
 */
export function refund(
  money: KeptMoney,
  payment: Payment | undefined,
  { otherParts, creditedBesides }: { otherParts: boolean; creditedBesides: boolean },
  { amount, reason }: Refund,
): Decision {
  if (money.kind === 'reversal')
    throw new GatewayError(
      'CONFLICT',
      'the provider has taken this back already; a reversal can be accepted only',
    )
  if (money.status === 'refunded') throw decided(money)
  if (amount !== undefined && amount > money.amount)
    throw new GatewayError('BAD_REQUEST', `amount: is more than the ${money.amount} cents that arrived`)
  if (!money.credited) {
    if (amount !== undefined && amount !== money.amount)
      throw new GatewayError(
        'BAD_REQUEST',
        `amount: must be all ${money.amount} cents, since none of it was credited`,
      )
    const isOver = money.kind === 'underpaid' && payment?.status === 'challenged' && !otherParts
    return { status: 'refunded', credited: false, ...(isOver && { event: { type: 'failed', reason } }) }
  }
  if (payment?.reversedAt && !creditedBesides)
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
const defaultRefund = ({ kind, amount, expectedAmount }: KeptMoney): Cents =>
  kind === 'overpaid' && expectedAmount !== null ? amount - expectedAmount : amount

/** Whether the payment's own credit is of this very arrival. */
const isWhatPaid = (payment: Payment, money: KeptMoney): boolean =>
  payment.status === 'paid' &&
  payment.paidReference === money.reference &&
  (payment.receipt ?? '') === money.receipt

const decided = ({ status, decidedAt, reason }: KeptMoney) =>
  new GatewayError('CONFLICT', `it was ${status} at ${decidedAt?.toISOString()}: ${reason}`)
