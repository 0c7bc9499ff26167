// Defines a payment, its statuses and its events, which report facts such as a cancellation, a callback or an expiry.
// Only the table in transitions.ts determines the status after an event, and only record-event.ts and record-known.ts
// store it.

import type { StoredFeeTerms } from '../fees/stored-fee-rule.ts'
import type { Mode } from '../values/mode.ts'
import type { Cents } from '../values/money.ts'
import { after } from '../values/time.ts'
import type { MethodData, MethodDetail, MethodType } from './method.ts'

export const shownStatuses = ['pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged'] as const
export type ShownStatus = (typeof shownStatuses)[number]

/**
 * A payment's internal statuses before any provider has accepted it:
 *
 * - `charging`: the charge request is in flight, or the process crashed while sending it;
 * - `unknown`: it is not known whether the charge succeeded; status inquiries determine its outcome;
 * - `uncharged`: the provider definitely has no order for the payment; a request with the same idempotency key charges
 *   again;
 * - `rejected`: the provider rejected the charge; a request with the same idempotency key returns the same
 *   error.
 */
export const internalStatuses = ['charging', 'unknown', 'uncharged', 'rejected'] as const
export type Status = (typeof internalStatuses)[number] | ShownStatus

export const isShown = (status: Status): status is ShownStatus =>
  !(internalStatuses as readonly string[]).includes(status)

/** Returns the public status for a webhook's `previous_status`. Internal statuses are shown as `pending`. */
export const shownStatus = (status: Status): ShownStatus => (isShown(status) ? status : 'pending')

/**
 * Returns whether the payment had a transition between two reads, `before` and `after`. Both reads may show the same
 * status, because a status can change and change back.
 */
export const hasTransitioned = (
  before: Pick<Payment, 'transitionCount'>,
  after: Pick<Payment, 'transitionCount'>,
): boolean => before.transitionCount !== after.transitionCount

export type Item = { id: string; name: string; price: number; quantity: number }

/**
 * The version of the payment's fingerprint, a hash of the order. The version determines which order fields
 * the hash covers (create/fingerprint.ts).
 */
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
  /** The channel's code in lower case. The QRIS channel has the code `qris`. */
  channel: string
  methodDetail: MethodDetail
  methodData: MethodData | null
  status: Status
  transitionCount: number
  /**
   * The code of the provider used for the latest charge attempt. `providerAccountId` and `attempt` also describe
   * the latest attempt.
   */
  provider: string
  providerAccountId: string
  /** The number of the latest charge attempt. Numbering starts at 1. */
  attempt: number
  providerPaymentId: string | null
  customerName: string
  customerEmail: string
  customerPhone: string
  items: Item[]
  /** The return URL and the customer's IP address, as sent by the merchant. */
  returnUrl: string | null
  customerIp: string | null
  expiryMinutes: number
  expiresAt: Date
  paidAt: Date | null
  amountPaid: Cents | null
  /** The total of the refunds that succeeded, in cents. Database triggers update it (migration 0048). */
  amountRefunded: Cents
  /** The total of the chargebacks and reversals, in cents. Database triggers update it (migration 0048). */
  amountReversed: Cents
  /**
   * `paidReference`, the order reference, and `receipt`, the provider's receipt ID, identify the money that paid the
   * payment. `receipt` is null if the provider sent no receipt ID.
   */
  paidReference: string | null
  receipt: string | null
  /** The time when the provider first took back the payment's money. Null if it never did. */
  reversedAt: Date | null
  /**
   * The time when the operator credited the payment without the provider's confirmation. Null if this did not
   * happen, or if the provider has since confirmed or contradicted the payment.
   */
  unconfirmedSince: Date | null
  failureReason: string | null
  /** The amount received so far for a partially paid payment, in cents. Null for other payments. */
  amountReceived: Cents | null
  nextCheckAt: Date | null
  /** The fee formulas in force when the payment was created, or null if there is no fee. */
  feeTerms: StoredFeeTerms | null
  createdAt: Date
  updatedAt: Date
}

/** The payment fields that the API shows. */
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
  | 'feeTerms'
>

/**
 * Returns the order reference of the latest charge attempt: the payment code, with the attempt number
 * appended from the second attempt on.
 */
export const referenceOf = ({ paymentCode, attempt }: Pick<Payment, 'paymentCode' | 'attempt'>): string =>
  attempt === 1 ? paymentCode : `${paymentCode}-${attempt}`

/**
 * Returns the number of the charge attempt with this order reference, or undefined if the reference is not one of the
 * payment's.
 */
function attemptOf({ paymentCode }: Pick<Payment, 'paymentCode'>, reference: string): number | undefined {
  const attempt = reference === paymentCode ? 1 : Number(reference.slice(paymentCode.length + 1))
  return Number.isInteger(attempt) && referenceOf({ paymentCode, attempt }) === reference
    ? attempt
    : undefined
}

/** Returns whether one of the payment's charge attempts has this order reference. */
export function isOwnReference(
  payment: Pick<Payment, 'paymentCode' | 'attempt'>,
  reference: string,
): boolean {
  const attempt = attemptOf(payment, reference)
  return attempt !== undefined && attempt >= 1 && attempt <= payment.attempt
}

/**
 * Returns the payment as it was during the charge attempt with this order reference. For an earlier attempt, the
 * payment instructions are null, because only the latest attempt's instructions are stored.
 */
export function asOfAttempt(
  payment: Payment,
  { reference, ...known }: { reference: string } & Pick<Payment, 'providerAccountId' | 'providerPaymentId'>,
): Payment {
  if (reference === referenceOf(payment)) return payment
  const attempt = attemptOf(payment, reference)
  if (attempt === undefined) throw new Error(`payment ${payment.id} has no order ${reference}`)
  return { ...payment, ...known, attempt, methodData: null }
}

/**
 * Returns the time from which the payer can pay: the start of the latest charge attempt. The payment's validity
 * period starts at this time.
 */
export const attemptStartedAt = ({
  expiresAt,
  expiryMinutes,
}: Pick<Payment, 'expiresAt' | 'expiryMinutes'>): Date => after(expiresAt, -expiryMinutes * 60_000)

/** Identifies one receipt of money by its order reference, the provider's receipt id and the provider's payment id. */
export type Receipt = { reference: string; receipt?: string; providerPaymentId?: string }

export type PaymentEvent =
  /**
   * Another charge attempt starts, because the previous attempt definitely created no order. The new attempt starts
   * at once, or when the merchant repeats the request with the same idempotency key.
   */
  | {
      type: 'charge_started'
      provider: string
      providerAccountId: string
      /** Why the previous charge attempt failed. */
      reason: string
      expiresAt: Date
      nextCheckAt: Date
    }
  | { type: 'accepted'; providerPaymentId: string; methodData: MethodData }
  | { type: 'rejected'; reason: string }
  | { type: 'not_created'; reason: string }
  | { type: 'outcome_unknown'; reason: string; nextCheckAt: Date }
  /**
   * The full amount or more was received. The last three fields are set only after an operator's decision:
   *
   * - `acceptedId` identifies the accepted record of the money.
   * - `assignedFrom` is the provider account that received money assigned to this payment.
   * - `unconfirmed` is the reason for crediting money that the provider did not confirm.
   */
  | ({
      type: 'paid'
      amountPaid: Cents
      paidAt: Date
      acceptedId?: string
      assignedFrom?: string
      unconfirmed?: string
    } & Receipt)
  /** Less than the payment's amount was received. The operator decides whether the payment counts as paid. */
  | ({ type: 'underpaid'; received: Cents; paidAt: Date; reason: string } & Receipt)
  /**
   * Additional money for a paid payment was credited. `why` contains the reason; it is undefined if the
   * operator accepted the money.
   */
  | { type: 'paid_again'; amount: Cents; unexpectedMoneyId: string; why?: string }
  /**
   * The provider had reversed the payment and now reports it as paid again. The operator decides whether to
   * credit the money.
   */
  | ({ type: 'paid_after_reversal'; amount: Cents } & Receipt)
  /**
   * The event that the provider took back money that it had reported as paid. `amount`, which `planMoney` sets, is the
   * part of this money that was credited. `receipt` is the provider's receipt ID, if its message contains one.
   */
  | { type: 'reversed'; reason: string; unexpectedMoneyId: string; amount?: Cents; receipt?: string }
  | { type: 'failed'; reason: string }
  | { type: 'expired' }
  | { type: 'cancelled' }
  /**
   * The event that the payment may have received money. `claim` is the money that the provider's message reports, if
   * any. If the payment has already ended, the operator decides whether to credit this money.
   */
  | { type: 'challenged'; reason: string; claim?: { amountPaid: Cents; paidAt: Date } & Receipt }

export type EventType = PaymentEvent['type']

/**
 * Converts a report of received money to an event: `underpaid` if the amount is less than the payment's, otherwise
 * `paid`.
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
 * Returns whether a provider's message is about the money that made the payment paid. If the payment or the message
 * has no receipt ID, only the order references are compared.
 */
export function isSameReceipt(
  payment: Pick<Payment, 'paidReference' | 'receipt'>,
  { reference, receipt }: Receipt,
): boolean {
  if (payment.paidReference !== null && payment.paidReference !== reference) return false
  return receipt === undefined || payment.receipt === null || payment.receipt === receipt
}

/**
 * Returns whether a message reports money in addition to the money that paid the payment. The operator decides whether
 * additional money is credited. Money is additional in these cases:
 *
 * - Its order reference or receipt ID differs from the payment's.
 * - The message has a receipt ID but the payment has none, and the amount differs from the paid amount. This case does
 *   not apply after a reversal, or after a credit without the provider's confirmation.
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

export type MoneyReceivedEvent = Extract<PaymentEvent, { type: 'paid' | 'underpaid' }>
export const isMoneyReceived = (event: PaymentEvent): event is MoneyReceivedEvent =>
  event.type === 'paid' || event.type === 'underpaid'

/** Returns the total amount the provider reported as received, in cents. */
export const receivedAmount = (arrival: MoneyReceivedEvent): Cents =>
  arrival.type === 'paid' ? arrival.amountPaid : arrival.received

/**
 * Returns whether a message repeats a partial payment that is already recorded. The amount in the message may
 * be the same or smaller.
 */
export const isKnownPartialPayment = (
  payment: Pick<Payment, 'amountReceived' | 'paidReference' | 'receipt'>,
  { received, ...reported }: { received: Cents } & Receipt,
): boolean =>
  payment.amountReceived !== null && received <= payment.amountReceived && isSameReceipt(payment, reported)
