// A payment, its states and what can happen to it. Whoever learns of a fact (the merchant's create and cancel, a
// provider's answer or callback, the sweep) states it as an event; only the table of transitions.ts decides what
// follows, and only record-event.ts writes it.

import type { Mode } from '../mode.ts'
import type { Cents } from '../money.ts'
import { after } from '../time.ts'
import type { MethodData, MethodDetail, MethodType } from './method.ts'

/** What the API shows. */
export const shownStatuses = ['pending', 'paid', 'failed', 'expired', 'cancelled', 'challenged'] as const
export type ShownStatus = (typeof shownStatuses)[number]

/**
 * Before a provider has accepted it, a payment is nobody's business but ours:
 * - `charging`: the provider is being asked, or we died while asking;
 * - `unknown`: the provider was asked and its answer is not known; inquiries settle it;
 * - `uncharged`: the provider certainly has nothing; the same idempotency key tries again;
 * - `rejected`: the provider refused it; the same key gets the same refusal.
 */
export const internalStatuses = ['charging', 'unknown', 'uncharged', 'rejected'] as const
export type Status = (typeof internalStatuses)[number] | ShownStatus

export const isShown = (status: Status): status is ShownStatus =>
  !(internalStatuses as readonly string[]).includes(status)

/** A status as a webhook's `previous_status` tells it: what came before `pending` was never shown. */
export const shownStatus = (status: Status): ShownStatus => (isShown(status) ? status : 'pending')

/** Whether a payment changed its status between two looks at it. */
export const hasMoved = (
  before: Pick<Payment, 'transitionCount'>,
  after: Pick<Payment, 'transitionCount'>,
): boolean => before.transitionCount !== after.transitionCount

export type Item = { id: string; name: string; price: number; quantity: number }

/** Which rules made the fingerprint of the order (fingerprint.ts). */
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
  /** Lower-case channel code; `qris` for QRIS. */
  channel: string
  methodDetail: MethodDetail
  methodData: MethodData | null
  status: Status
  transitionCount: number
  /** Of its latest try, as the two below. */
  provider: string
  providerAccountId: string
  /** 1, 2, … */
  attempt: number
  providerPaymentId: string | null
  customerName: string
  customerEmail: string
  customerPhone: string
  items: Item[]
  /** As the merchant sent them. */
  returnUrl: string | null
  customerIp: string | null
  expiryMinutes: number
  expiresAt: Date
  paidAt: Date | null
  amountPaid: Cents | null
  /** The reference by which it was paid, and the provider's id of that receipt, where it has one. */
  paidReference: string | null
  receipt: string | null
  /** When the provider first took the payment back. */
  reversedAt: Date | null
  /** Since when it is credited by the Owner's decision alone. Null once a provider confirmed or contradicted it. */
  unconfirmedSince: Date | null
  failureReason: string | null
  /** What is known to have arrived of a payment that was paid too little. */
  amountReceived: Cents | null
  nextCheckAt: Date | null
  createdAt: Date
  updatedAt: Date
}

/** What there is to show of it, once it is shown. */
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

/** How the provider knows a try: the payment code, from the second try on with its number. */
export const referenceOf = ({ paymentCode, attempt }: Pick<Payment, 'paymentCode' | 'attempt'>): string =>
  attempt === 1 ? paymentCode : `${paymentCode}-${attempt}`

/**
 * The payment as it is known where an earlier try of it went, if the reference is that one's. What was answered
 * then is no longer kept.
 */
export function asOfTry(
  payment: Payment,
  { reference, ...known }: { reference: string } & Pick<Payment, 'providerAccountId' | 'providerPaymentId'>,
): Payment {
  if (reference === referenceOf(payment)) return payment
  const number = reference.slice(payment.paymentCode.length + 1)
  return { ...payment, ...known, attempt: number === '' ? 1 : Number(number), methodData: null }
}

/** When the payer's time of its latest try began. */
export const startOf = ({ expiresAt, expiryMinutes }: Pick<Payment, 'expiresAt' | 'expiryMinutes'>): Date =>
  after(expiresAt, -expiryMinutes * 60_000)

/** One arrival of money, as a provider told it. */
export type Receipt = { reference: string; receipt?: string; providerPaymentId?: string }

export type PaymentEvent =
  /**
   * Another try, at whichever account, after one that certainly left nothing behind: at once, or when the same
   * key comes again.
   */
  | {
      type: 'charge_started'
      provider: string
      providerAccountId: string
      /** Why the try before it came to nothing. */
      reason: string
      expiresAt: Date
      nextCheckAt: Date
    }
  | { type: 'accepted'; providerPaymentId: string; methodData: MethodData }
  | { type: 'rejected'; reason: string }
  | { type: 'not_created'; reason: string }
  | { type: 'outcome_unknown'; reason: string; nextCheckAt: Date }
  /**
   * acceptedId: the record of this money, where the Owner accepted what had been set aside. unconfirmed: the Owner
   * credits it though no provider reported it, for this reason.
   */
  | ({
      type: 'paid'
      amountPaid: Cents
      paidAt: Date
      acceptedId?: string
      unconfirmed?: string
    } & Receipt)
  /** Less than the amount arrived: the Owner decides. */
  | ({ type: 'underpaid'; received: Cents; paidAt: Date; reason: string } & Receipt)
  /** Further money for a paid payment was credited. why: without it, the Owner accepted it. */
  | { type: 'paid_again'; amount: Cents; unexpectedMoneyId: string; why?: string }
  /** The provider reports payment once more after it took the money back. The Owner decides on it. */
  | ({ type: 'paid_after_reversal'; amount: Cents } & Receipt)
  /**
   * The provider took back what had been paid. amount: what the ledger has of it, which only record-event.ts knows.
   * receipt: learnt at the same time.
   */
  | { type: 'reversed'; reason: string; unexpectedMoneyId: string; amount?: Cents; receipt?: string }
  /** Credited money went back to the payer. */
  | { type: 'refunded'; amount: Cents; reason: string; unexpectedMoneyId: string }
  | { type: 'failed'; reason: string }
  | { type: 'expired' }
  | { type: 'cancelled' }
  | { type: 'challenged'; reason: string }

export type EventType = PaymentEvent['type']

/**
 * A provider's word that money arrived, as an event of this payment. A report of less than the amount is never
 * `paid`; one of more is, with the true sum.
 */
export function paymentReceived(
  payment: Pick<Payment, 'amount'>,
  { amountPaid, ...arrival }: { amountPaid: Cents; paidAt: Date } & Receipt,
): PaymentEvent {
  if (amountPaid >= payment.amount) return { type: 'paid', amountPaid, ...arrival }
  const reason = `amount mismatch: expected ${payment.amount}, received ${amountPaid}`
  return { type: 'underpaid', received: amountPaid, reason, ...arrival }
}

/** Whether this is the money that paid the payment, told once more. Where either has no receipt, it may be. */
export function isSameReceipt(
  payment: Pick<Payment, 'paidReference' | 'receipt'>,
  { reference, receipt }: Receipt,
): boolean {
  if (payment.paidReference !== null && payment.paidReference !== reference) return false
  return receipt === undefined || payment.receipt === null || payment.receipt === receipt
}

/**
 * Whether this is other money than what paid the payment. The first receipt reported for a payment that was paid without
 * one is its own if the sum is the same; with another sum it waits for the Owner. A payment that was credited without
 * confirmation, or taken back, has no money, so the first receipt is its own whatever the sum.
 */
export const isSecondPayment = (
  payment: Pick<Payment, 'paidReference' | 'receipt' | 'amountPaid' | 'reversedAt' | 'unconfirmedSince'>,
  { sum, ...told }: { sum: Cents } & Receipt,
): boolean =>
  !isSameReceipt(payment, told) ||
  (payment.receipt === null &&
    payment.unconfirmedSince === null &&
    payment.reversedAt === null &&
    told.receipt !== undefined &&
    sum !== payment.amountPaid)

/** An event that reports money of the payer. */
export type Arrival = Extract<PaymentEvent, { type: 'paid' | 'underpaid' }>
export const isArrival = (event: PaymentEvent): event is Arrival =>
  event.type === 'paid' || event.type === 'underpaid'

/** All that the receipt brought so far. */
export const sumOf = (arrival: Arrival): Cents =>
  arrival.type === 'paid' ? arrival.amountPaid : arrival.received

/** Whether this is the part of the amount that the payment knows of, told once more. */
export const isKnownPart = (
  payment: Pick<Payment, 'amountReceived' | 'paidReference' | 'receipt'>,
  { received, ...told }: { received: Cents } & Receipt,
): boolean =>
  payment.amountReceived !== null && received <= payment.amountReceived && isSameReceipt(payment, told)
