// A refund returns a payment's money to the payer. A refund requested by the merchant or the operator is first
// debited and then requested from the provider. A refund or chargeback made at the provider is debited when the
// provider reports it.

import type { Mode } from '../../values/mode.ts'
import type { Cents } from '../../values/money.ts'
import { after } from '../../values/time.ts'

export const refundStatuses = ['pending', 'succeeded', 'failed'] as const
export type RefundState = (typeof refundStatuses)[number]

/**
 * How the payer gets the money back. `manual` means the operator transfers the money to the payer's bank account
 * because the provider cannot refund the payment.
 */
export const refundMethods = ['provider', 'manual'] as const
export type RefundMethod = (typeof refundMethods)[number]

/**
 * Who made the refund: the merchant or the operator in this service, or a person at the provider. `chargeback`
 * means that the payer made a chargeback at their bank.
 */
export const refundOrigins = ['merchant', 'operator', 'provider', 'chargeback'] as const
export type RefundOrigin = (typeof refundOrigins)[number]

/**
 * The possible sources of the money that a refund returns:
 *
 * - `amount_paid`: all or part of the payment's paid amount.
 * - `separate_credit`: money credited to the merchant in addition to the amount paid.
 * - `uncredited`: money that was never credited. The refund does not change the merchant's balance.
 *
 * Only the operator can refund money from the sources `separate_credit` and `uncredited`.
 */
export type RefundSource = 'amount_paid' | 'separate_credit' | 'uncredited'

export type BankAccount = { bank: string; number: string; holder_name: string }

export type PaymentRefund = {
  tenantId: string
  id: string
  paymentId: string
  mode: Mode
  /** The refund's number among the payment's refunds, starting at 1. */
  number: number
  /** The reference sent to the provider to identify the refund. */
  reference: string
  amount: Cents
  status: RefundState
  method: RefundMethod
  origin: RefundOrigin
  /**
   * True if one of the merchant's users requested the refund. False if it was requested with the merchant's API
   * key, or if its request did not come from the merchant.
   */
  byUser: boolean
  source: RefundSource
  reason: string
  /** The code of the provider whose account received the money. */
  provider: string
  providerAccountId: string
  providerRefundId: string | null
  failureReason: string | null
  /**
   * True if the provider itself reported that the refund failed. It is false if only the operator recorded the failure,
   * or if the provider rejected the refund request.
   */
  failedAtProvider: boolean
  bankAccount: BankAccount | null
  /** The reference of the bank transfer the operator used to refund the payer. */
  bankReference: string | null
  /**
   * The id of the returned-money record for which this refund was created. Only refunds and chargebacks made at the
   * provider have such a record.
   */
  unexpectedMoneyId: string | null
  /** The ID of the record of received money that the operator refunds. Null for a refund of other money. */
  refundedMoneyId: string | null
  idempotencyKey: string | null
  fingerprint: Buffer | null
  /**
   * When the service requested the refund from the provider. A refund is requested only once. Null if it was
   * certainly never requested.
   */
  requestedAt: Date | null
  /**
   * When the service next requests the refund or inquires about it. Null means that neither is scheduled. A
   * pending refund then waits until the operator records its outcome.
   */
  nextCheckAt: Date | null
  createdAt: Date
  updatedAt: Date
  succeededAt: Date | null
}

/** Returns whether a refund with this origin was requested in this service, rather than made at the provider. */
export const isRequestedHere = (origin: RefundOrigin): boolean =>
  origin === 'merchant' || origin === 'operator'

/**
 * Returns whether the refund is a chargeback that the provider reported without an ID. A chargeback with an ID is
 * looked up by this ID instead, and the provider reports its changes with this ID.
 */
export const isChargebackWithoutId = (
  refund: PaymentRefund,
): refund is PaymentRefund & { unexpectedMoneyId: string } =>
  refund.origin === 'chargeback' && refund.unexpectedMoneyId !== null && refund.providerRefundId === null

export const refundReferenceOf = (paymentCode: string, number: number): string => `${paymentCode}-R${number}`

export type RefundEvent =
  /** The provider accepted the refund request, or lists the refund as pending. */
  | { type: 'accepted'; providerRefundId: string | null }
  | { type: 'succeeded'; providerRefundId: string | null; bankReference?: string }
  /** The provider rejected the request, so it certainly returned no money. */
  | { type: 'rejected'; reason: string }
  /**
   * The provider or the operator reports that the refund failed: its money did not reach the payer, or it
   * came back. `isAtProvider` is true if the provider reports it.
   */
  | { type: 'failed'; reason: string; providerRefundId?: string | null; isAtProvider?: true }
  /** The provider's response to the refund request was lost or unclear. */
  | { type: 'outcome_unknown'; reason: string }

/** Returns the event for a provider's report that a refund failed. `providerRefundId` is the provider's ID for it. */
export const failureAtProvider = (providerRefundId: string | null): RefundEvent => ({
  type: 'failed',
  reason: 'the provider reports that the refund failed',
  providerRefundId,
  isAtProvider: true,
})

export type RefundEventType = RefundEvent['type']

/**
 * The effect of an event on a refund in a given status. The event leads to another status, leaves the refund
 * `unchanged`, or is `refused` because it contradicts the status.
 */
export type RefundTransition = RefundState | 'unchanged' | 'refused'

/**
 * The effect of every event on a refund in every status. A succeeded refund can still fail, for example if the merchant
 * wins a chargeback. A failed refund never succeeds, because its amount was credited back. If the provider pays out a
 * failed refund after all, the service records another refund.
 */
export const refundTransitions: Record<RefundState, Record<RefundEventType, RefundTransition>> = {
  pending: {
    accepted: 'pending',
    succeeded: 'succeeded',
    rejected: 'failed',
    failed: 'failed',
    outcome_unknown: 'pending',
  },
  succeeded: {
    accepted: 'unchanged',
    succeeded: 'unchanged',
    rejected: 'refused',
    failed: 'failed',
    outcome_unknown: 'unchanged',
  },
  failed: {
    accepted: 'refused',
    succeeded: 'refused',
    rejected: 'unchanged',
    failed: 'unchanged',
    outcome_unknown: 'unchanged',
  },
}

export type AppliedRefund =
  | { kind: 'changed' | 'unchanged'; refund: PaymentRefund }
  | { kind: 'refused'; refund: PaymentRefund }

/** Applies an event to a refund. The result is `changed` if the event changed the refund's status. */
export function applyRefundEvent(refund: PaymentRefund, event: RefundEvent, at: Date): AppliedRefund {
  const outcome = refundTransitions[refund.status][event.type]
  if (outcome === 'refused') return { kind: 'refused', refund }
  const failedAtProvider = refund.failedAtProvider || isFailureAtProvider(event)
  if (outcome === 'unchanged') {
    const providerRefundId = refund.providerRefundId ?? learnt(event)
    const isLearnt =
      providerRefundId !== refund.providerRefundId || failedAtProvider !== refund.failedAtProvider
    return {
      kind: 'unchanged',
      refund: isLearnt ? { ...refund, providerRefundId, failedAtProvider } : refund,
    }
  }
  const isChanged = outcome !== refund.status
  const next: PaymentRefund = {
    ...refund,
    status: outcome,
    providerRefundId: learnt(event) ?? refund.providerRefundId,
    failureReason: 'reason' in event ? event.reason : outcome === 'pending' ? null : refund.failureReason,
    failedAtProvider,
    nextCheckAt: outcome === 'pending' ? nextRefundCheck(refund, at) : null,
    updatedAt: at,
    ...(outcome === 'succeeded' && isChanged && { succeededAt: at, failureReason: null }),
    ...(event.type === 'succeeded' &&
      event.bankReference !== undefined && { bankReference: event.bankReference }),
  }
  return { kind: isChanged ? 'changed' : 'unchanged', refund: next }
}

const isFailureAtProvider = (event: RefundEvent): boolean =>
  event.type === 'failed' && event.isAtProvider === true

const learnt = (event: RefundEvent): string | null =>
  'providerRefundId' in event ? (event.providerRefundId ?? null) : null

/**
 * When the service inquires about a refund, in milliseconds after the refund request. Later inquiries follow
 * hourly, until CHECKED_FOR_MS has passed.
 */
const checkedAfterMs = [5_000, 15_000, 60_000, 300_000, 1_800_000]
const HOUR_MS = 3_600_000
/**
 * How long the service sends inquiries about a refund to the provider. After this time, the refund stays pending until
 * the operator records its outcome.
 */
const CHECKED_FOR_MS = 72 * HOUR_MS

/**
 * Returns when the service inquires next about a pending refund. Returns null if only the operator can record the
 * outcome. Also returns null if the refund was made at the provider, because the service must never request such a
 * refund.
 */
export function nextRefundCheck(
  {
    method,
    origin,
    requestedAt,
    createdAt,
  }: Pick<PaymentRefund, 'method' | 'origin' | 'requestedAt' | 'createdAt'>,
  now: Date,
): Date | null {
  if (method === 'manual' || !isRequestedHere(origin)) return null
  const from = inquiredFrom({ requestedAt, createdAt })
  const passedMs = now.getTime() - from.getTime()
  const nextHourMs = (Math.floor(passedMs / HOUR_MS) + 1) * HOUR_MS
  const nextMs = checkedAfterMs.find(each => each > passedMs) ?? nextHourMs
  return nextMs > CHECKED_FOR_MS ? null : after(from, nextMs)
}

type RequestTimes = Pick<PaymentRefund, 'requestedAt' | 'createdAt'>
const inquiredFrom = ({ requestedAt, createdAt }: RequestTimes): Date => requestedAt ?? createdAt

/** Returns when the inquiries about a refund end. From then on, the operator must record the outcome. */
export const inquiriesEndAt = (refund: RequestTimes): Date => after(inquiredFrom(refund), CHECKED_FOR_MS)

/**
 * Returns whether the operator may record the outcome of a pending refund that was requested in this service. This is
 * allowed in these cases:
 *
 * - The operator makes the refund by bank transfer.
 * - The provider's last response was lost or unclear.
 * - The inquiries have ended.
 *
 * In all other cases, the provider may still be making the refund.
 */
export const mayBeResolved = (refund: PaymentRefund, now: Date): boolean =>
  refund.method === 'manual' ||
  refund.failureReason !== null ||
  refund.nextCheckAt === null ||
  now.getTime() >= inquiriesEndAt(refund).getTime()
