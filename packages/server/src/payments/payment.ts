// A payment's states and the one table of how facts move it. Whoever learns of a fact (the merchant's
// create and cancel, a provider's answer or callback, the sweep) states it as an event; only this table
// decides what follows, and only record-event.ts writes it.

import type { Mode } from '../mode.ts'
import type { Cents } from '../money.ts'
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

export type Payment = {
  tenantId: string
  id: string
  mode: Mode
  paymentCode: string
  idempotencyKey: string
  fingerprint: Buffer
  amount: Cents
  currency: 'IDR'
  methodType: MethodType
  /** Lower-case channel code; `qris` for QRIS. */
  channel: string
  methodDetail: MethodDetail
  methodData: MethodData | null
  status: Status
  transitionCount: number
  provider: string
  providerAccountId: string
  providerPaymentId: string | null
  customerName: string
  customerEmail: string
  customerPhone: string
  items: Item[]
  expiryMinutes: number
  expiresAt: Date
  paidAt: Date | null
  amountPaid: Cents | null
  failureReason: string | null
  /** What is known to have arrived of a payment that was paid too little. */
  amountReceived: Cents | null
  nextCheckAt: Date | null
  createdAt: Date
  updatedAt: Date
}

export type PaymentEvent =
  /** The same key tries an `uncharged` payment again; it then has its whole time to be paid. */
  | { type: 'charge_started'; expiresAt: Date; nextCheckAt: Date }
  | { type: 'accepted'; providerPaymentId: string; methodData: MethodData }
  | { type: 'rejected'; reason: string }
  | { type: 'not_created'; reason: string }
  | { type: 'outcome_unknown'; reason: string; nextCheckAt: Date }
  | { type: 'paid'; amountPaid: Cents; paidAt: Date; providerPaymentId?: string }
  /** Less than the amount arrived: the Owner decides. */
  | { type: 'underpaid'; received: Cents; reason: string; providerPaymentId?: string }
  | { type: 'failed'; reason: string }
  | { type: 'expired' }
  | { type: 'cancelled' }
  | { type: 'challenged'; reason: string }

export type EventType = PaymentEvent['type']

/** `unchanged`: it says what is known. `refused`: it contradicts what is known. */
export type Outcome = Status | 'unchanged' | 'refused'

/**
 * Every cell is written. Three rules shape it:
 * - money that arrived is never dropped: `paid` moves every status, and nothing leaves `paid`;
 * - a late partial payment is money too: it reopens a closed payment as `challenged`;
 * - before `pending`, a provider's report counts as much as its answer, since it may come first.
 */
export const transitions: Record<Status, Record<EventType, Outcome>> = {
  charging: {
    charge_started: 'refused',
    accepted: 'pending',
    rejected: 'rejected',
    not_created: 'uncharged',
    outcome_unknown: 'unknown',
    paid: 'paid',
    underpaid: 'challenged',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    challenged: 'challenged',
  },
  unknown: {
    charge_started: 'refused',
    accepted: 'pending',
    rejected: 'rejected',
    not_created: 'uncharged',
    outcome_unknown: 'unchanged',
    paid: 'paid',
    underpaid: 'challenged',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    challenged: 'challenged',
  },
  uncharged: {
    charge_started: 'charging',
    accepted: 'pending',
    rejected: 'rejected',
    not_created: 'unchanged',
    outcome_unknown: 'unknown',
    paid: 'paid',
    underpaid: 'challenged',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    challenged: 'challenged',
  },
  rejected: {
    charge_started: 'refused',
    accepted: 'refused',
    rejected: 'unchanged',
    not_created: 'unchanged',
    outcome_unknown: 'refused',
    paid: 'paid',
    underpaid: 'challenged',
    failed: 'unchanged',
    expired: 'unchanged',
    cancelled: 'unchanged',
    challenged: 'challenged',
  },
  pending: {
    charge_started: 'refused',
    accepted: 'unchanged',
    rejected: 'refused',
    not_created: 'refused',
    outcome_unknown: 'refused',
    paid: 'paid',
    underpaid: 'challenged',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    challenged: 'challenged',
  },
  challenged: {
    charge_started: 'refused',
    accepted: 'unchanged',
    rejected: 'refused',
    not_created: 'refused',
    outcome_unknown: 'refused',
    paid: 'paid',
    underpaid: 'unchanged',
    failed: 'failed',
    expired: 'expired',
    cancelled: 'cancelled',
    challenged: 'unchanged',
  },
  paid: {
    charge_started: 'refused',
    accepted: 'unchanged',
    rejected: 'refused',
    not_created: 'refused',
    outcome_unknown: 'refused',
    paid: 'unchanged',
    underpaid: 'refused',
    failed: 'refused',
    expired: 'refused',
    cancelled: 'refused',
    challenged: 'refused',
  },
  failed: {
    charge_started: 'refused',
    accepted: 'unchanged',
    rejected: 'refused',
    not_created: 'refused',
    outcome_unknown: 'refused',
    paid: 'paid',
    underpaid: 'challenged',
    failed: 'unchanged',
    expired: 'refused',
    cancelled: 'refused',
    challenged: 'refused',
  },
  expired: {
    charge_started: 'refused',
    accepted: 'unchanged',
    rejected: 'refused',
    not_created: 'refused',
    outcome_unknown: 'refused',
    paid: 'paid',
    underpaid: 'challenged',
    failed: 'refused',
    expired: 'unchanged',
    cancelled: 'refused',
    challenged: 'refused',
  },
  cancelled: {
    charge_started: 'refused',
    accepted: 'unchanged',
    rejected: 'refused',
    not_created: 'refused',
    outcome_unknown: 'refused',
    paid: 'paid',
    underpaid: 'challenged',
    failed: 'refused',
    expired: 'refused',
    cancelled: 'unchanged',
    challenged: 'refused',
  },
}

/**
 * A provider's word that `received` cents arrived, as an event of this payment. A report of less than the
 * amount is never `paid`; one of more is, with the true sum.
 */
export function paymentReceived(
  payment: Pick<Payment, 'amount'>,
  report: { amountPaid: Cents; paidAt: Date; providerPaymentId?: string },
): PaymentEvent {
  if (report.amountPaid >= payment.amount) return { type: 'paid', ...report }
  const reason = `amount mismatch: expected ${payment.amount}, received ${report.amountPaid}`
  return {
    type: 'underpaid',
    received: report.amountPaid,
    reason,
    ...(report.providerPaymentId !== undefined && { providerPaymentId: report.providerPaymentId }),
  }
}

export type Applied =
  | { kind: 'changed'; from: Status; payment: Payment }
  /** The status stays; the payment may still have learnt something (its instructions, its next check). */
  | { kind: 'unchanged'; payment: Payment }
  | { kind: 'refused'; payment: Payment; reason: string }

/** The payment after the event. Pure: `at` is the time of recording. */
export function applyEvent(payment: Payment, event: PaymentEvent, at: Date): Applied {
  const outcome = transitions[payment.status][event.type]
  if (outcome === 'refused') {
    return { kind: 'refused', payment, reason: `${event.type} does not follow ${payment.status}` }
  }
  const status = outcome === 'unchanged' ? payment.status : outcome
  const next: Payment = {
    ...payment,
    ...learn(payment, event),
    status,
    ...closing(payment, status, event),
    updatedAt: at,
  }
  if (status !== payment.status)
    return {
      kind: 'changed',
      from: payment.status,
      payment: { ...next, transitionCount: payment.transitionCount + 1 },
    }
  const learnt =
    next.methodData !== payment.methodData ||
    next.providerPaymentId !== payment.providerPaymentId ||
    next.amountReceived !== payment.amountReceived ||
    event.type === 'outcome_unknown'
  return { kind: 'unchanged', payment: learnt ? next : payment }
}

/** What an event tells besides the status. Instructions once given to a payer never change. */
function learn(payment: Payment, event: PaymentEvent): Partial<Payment> {
  switch (event.type) {
    case 'accepted':
      return {
        methodData: payment.methodData ?? event.methodData,
        providerPaymentId: payment.providerPaymentId ?? event.providerPaymentId,
      }
    case 'paid':
      return { providerPaymentId: payment.providerPaymentId ?? event.providerPaymentId ?? null }
    case 'underpaid':
      return {
        providerPaymentId: payment.providerPaymentId ?? event.providerPaymentId ?? null,
        amountReceived: most(payment.amountReceived, event.received),
      }
    case 'charge_started':
      return { expiresAt: event.expiresAt }
    default:
      return {}
  }
}

/**
 * Of several partial sums the largest, in whatever order they are told: whether a provider adds them up or
 * names each, no less than that arrived.
 */
const most = (known: Cents | null, told: Cents): Cents => (known !== null && known > told ? known : told)

/** The fields that go with the status a payment moves to. */
function closing(payment: Payment, status: Status, event: PaymentEvent): Partial<Payment> {
  if (event.type === 'outcome_unknown') return { nextCheckAt: event.nextCheckAt, failureReason: event.reason }
  if (status === payment.status) return {}
  switch (status) {
    case 'paid':
      if (event.type !== 'paid') throw new Error(`${event.type} cannot pay a payment`)
      return { paidAt: event.paidAt, amountPaid: event.amountPaid, failureReason: null, nextCheckAt: null }
    case 'pending':
      return { failureReason: null, nextCheckAt: payment.expiresAt }
    case 'charging':
      return { failureReason: null, nextCheckAt: event.type === 'charge_started' ? event.nextCheckAt : null }
    default:
      // A challenged payment does not expire by the clock: its money may have arrived, a person decides.
      return { failureReason: 'reason' in event ? event.reason : null, nextCheckAt: null }
  }
}
