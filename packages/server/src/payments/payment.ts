// A payment, its statuses and its events. Callers report facts as events. Examples are a merchant's create or cancel
// request, a provider's response or callback, and an expiry that the sweep finds. Only the table in transitions.ts
// decides the resulting status, and only record-event.ts writes it.

import type { Mode } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'
import { after } from '../values/time.ts'
import type { MethodData, MethodDetail, MethodType } from './method.ts'

/** The payment statuses that the API shows. */
export const shownStatuses = ['pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged'] as const
export type ShownStatus = (typeof shownStatuses)[number]

/**
 * Internal statuses, before a provider has accepted the payment:
 *
 * - `charging`: the charge request is in flight, or the process died during it;
 * - `unknown`: the charge was sent but its outcome is unknown; inquiries settle it;
 * - `uncharged`: the provider certainly has no such order; the same idempotency key charges again;
 * - `rejected`: the provider rejected the charge; the same key returns the same error.
 */
export const internalStatuses = ['charging', 'unknown', 'uncharged', 'rejected'] as const
export type Status = (typeof internalStatuses)[number] | ShownStatus

export const isShown = (status: Status): status is ShownStatus =>
  !(internalStatuses as readonly string[]).includes(status)

/** Returns the status to show in a webhook's `previous_status`. Internal statuses are shown as `pending`. */
export const shownStatus = (status: Status): ShownStatus => (isShown(status) ? status : 'pending')

/** Whether the payment had a transition between two reads, with or without a change of its status. */
export const hasTransitioned = (
  before: Pick<Payment, 'transitionCount'>,
  after: Pick<Payment, 'transitionCount'>,
): boolean => before.transitionCount !== after.transitionCount

export type Item = { id: string; name: string; price: number; quantity: number }

/** The version of the rules by which an order's fingerprint is computed (fingerprint.ts). */
export type FingerprintVersion = 1

export type Payment = {
  tenantId: string
  id: string
  mode: Mode
  paymentCode: string
  idempotencyKey: string
  fingerprint: Buffer
  fingerprintVersion: FingerprintVersion
  amount: Cents
  currency: 'IDR'
  methodType: MethodType
  /** The channel code in lower case. It is `qris` for QRIS. */
  channel: string
  methodDetail: MethodDetail
  methodData: MethodData | null
  status: Status
  transitionCount: number
  /** The provider of the latest attempt. `providerAccountId` and `attempt` belong to the latest attempt, too. */
  provider: string
  providerAccountId: string
  /** The number of the latest attempt. The first attempt has the number 1. */
  attempt: number
  providerPaymentId: string | null
  customerName: string
  customerEmail: string
  customerPhone: string
  items: Item[]
  /** The return URL and the customer's IP address as the merchant sent them. */
  returnUrl: string | null
  customerIp: string | null
  expiryMinutes: number
  expiresAt: Date
  paidAt: Date | null
  amountPaid: Cents | null
  /** The reference under which the payment was paid, and the provider's id of that receipt if it has one. */
  paidReference: string | null
  receipt: string | null
  /** When the provider first reversed the payment. Null if it never did. */
  reversedAt: Date | null
  /**
   * When the Owner credited the payment without confirmation. Null if there is no such credit, or once the provider has
   * confirmed or contradicted it.
   */
  unconfirmedSince: Date | null
  failureReason: string | null
  /** The cents received so far for an underpaid payment. Null if no partial payment was reported. */
  amountReceived: Cents | null
  nextCheckAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** The fields of a payment that the API shows. */
export type ShownPayment = Omit<
  Payment,
  | 'fingerprint'
  | 'fingerprintVersion'
  | 'channel'
  | 'transitionCount'
  | 'providerAccountId'
  | 'attempt'
  | 'returnUrl'
  | 'customerIp'
  | 'expiryMinutes'
  | 'paidReference'
  | 'receipt'
  | 'reversedAt'
  | 'unconfirmedSince'
  | 'amountReceived'
  | 'nextCheckAt'
>

/**
 * Returns the attempt's reference at the provider: the payment code, with the attempt number from the second attempt
 * on.
 */
export const referenceOf = ({ paymentCode, attempt }: Pick<Payment, 'paymentCode' | 'attempt'>): string =>
  attempt === 1 ? paymentCode : `${paymentCode}-${attempt}`

/**
 * Returns the payment as it was during the attempt with this reference. For an earlier attempt the payment instructions
 * are null, because they are not stored.
 */
export function asOfAttempt(
  payment: Payment,
  { reference, ...known }: { reference: string } & Pick<Payment, 'providerAccountId' | 'providerPaymentId'>,
): Payment {
  if (reference === referenceOf(payment)) return payment
  const number = reference.slice(payment.paymentCode.length + 1)
  return { ...payment, ...known, attempt: number === '' ? 1 : Number(number), methodData: null }
}

/** Returns when the payer's time to pay started for the latest attempt. */
export const attemptStartedAt = ({
  expiresAt,
  expiryMinutes,
}: Pick<Payment, 'expiresAt' | 'expiryMinutes'>): Date => after(expiresAt, -expiryMinutes * 60_000)

/** One receipt of money, as reported by a provider. */
export type Receipt = { reference: string; receipt?: string; providerPaymentId?: string }

export type PaymentEvent =
  /**
   * Another charge attempt starts, at any account, because the previous attempt certainly created nothing. It starts at
   * once, or when the same idempotency key is sent again.
   */
  | {
      type: 'charge_started'
      provider: string
      providerAccountId: string
      /** The reason why the previous attempt failed. */
      reason: string
      expiresAt: Date
      nextCheckAt: Date
    }
  | { type: 'accepted'; providerPaymentId: string; methodData: MethodData }
  | { type: 'rejected'; reason: string }
  | { type: 'not_created'; reason: string }
  | { type: 'outcome_unknown'; reason: string; nextCheckAt: Date }
  /**
   * Money for the payment was received. `acceptedId` is the record of this money if it was set aside and the Owner
   * accepted it later. `unconfirmed` is the Owner's reason for crediting money that no provider has reported.
   */
  | ({
      type: 'paid'
      amountPaid: Cents
      paidAt: Date
      acceptedId?: string
      unconfirmed?: string
    } & Receipt)
  /** Less than the payment's amount was received. The Owner decides whether the payment counts as paid. */
  | ({ type: 'underpaid'; received: Cents; paidAt: Date; reason: string } & Receipt)
  /**
   * Further money for a paid payment was credited. If `why` is absent, it was credited because the Owner accepted it.
   */
  | { type: 'paid_again'; amount: Cents; unexpectedMoneyId: string; why?: string }
  /**
   * The provider reports a payment as paid again after it had reversed it. The Owner decides whether the money is
   * credited.
   */
  | ({ type: 'paid_after_reversal'; amount: Cents } & Receipt)
  /**
   * The provider took back money that had been paid. `amount` is the part of it that the ledger has credited; planEvent
   * sets it. `receipt` is set if the same report names the receipt.
   */
  | { type: 'reversed'; reason: string; unexpectedMoneyId: string; amount?: Cents; receipt?: string }
  /** Money that had been credited was refunded to the payer. */
  | { type: 'refunded'; amount: Cents; reason: string; unexpectedMoneyId: string }
  | { type: 'failed'; reason: string }
  | { type: 'expired' }
  | { type: 'cancelled' }
  | { type: 'challenged'; reason: string }

export type EventType = PaymentEvent['type']

/**
 * Converts a provider's report of received money to an event. An amount below the payment's amount is never `paid`. A
 * higher amount is `paid` with the amount received.
 */
export function moneyReceivedEvent(
  payment: Pick<Payment, 'amount'>,
  { amountPaid, ...arrival }: { amountPaid: Cents; paidAt: Date } & Receipt,
): PaymentEvent {
  if (amountPaid >= payment.amount) return { type: 'paid', amountPaid, ...arrival }
  const reason = `amount mismatch: expected ${payment.amount}, received ${amountPaid}`
  return { type: 'underpaid', received: amountPaid, reason, ...arrival }
}

/**
 * Whether a report repeats the receipt that paid the payment. If the report or the payment has no receipt id, the
 * receipts count as the same.
 */
export function isSameReceipt(
  payment: Pick<Payment, 'paidReference' | 'receipt'>,
  { reference, receipt }: Receipt,
): boolean {
  if (payment.paidReference !== null && payment.paidReference !== reference) return false
  return receipt === undefined || payment.receipt === null || payment.receipt === receipt
}

/**
 * Whether a report is about money other than the receipt that paid the payment. If the payment has no receipt id yet,
 * the first reported receipt counts as the payment's own if the amounts are equal; otherwise the receipt waits for the
 * Owner. A payment that was credited without confirmation, or reversed, has no money of its own, so the first reported
 * receipt counts as the payment's own whatever its amount.
 */
export const isSecondPayment = (
  payment: Pick<Payment, 'paidReference' | 'receipt' | 'amountPaid' | 'reversedAt' | 'unconfirmedSince'>,
  { sum: amount, ...reported }: { sum: Cents } & Receipt,
): boolean =>
  !isSameReceipt(payment, reported) ||
  (payment.receipt === null &&
    payment.unconfirmedSince === null &&
    payment.reversedAt === null &&
    reported.receipt !== undefined &&
    amount !== payment.amountPaid)

/** An event that reports money received from the payer. */
export type MoneyReceivedEvent = Extract<PaymentEvent, { type: 'paid' | 'underpaid' }>
export const isMoneyReceived = (event: PaymentEvent): event is MoneyReceivedEvent =>
  event.type === 'paid' || event.type === 'underpaid'

/** Returns the total cents of the receipt that this event reports. */
export const receivedAmount = (arrival: MoneyReceivedEvent): Cents =>
  arrival.type === 'paid' ? arrival.amountPaid : arrival.received

/** Whether the report repeats a partial payment that is already recorded. */
export const isKnownPartialPayment = (
  payment: Pick<Payment, 'amountReceived' | 'paidReference' | 'receipt'>,
  { received, ...reported }: { received: Cents } & Receipt,
): boolean =>
  payment.amountReceived !== null && received <= payment.amountReceived && isSameReceipt(payment, reported)
