// Requests refunds from the provider and inquires about them later. A refund is requested only once, because a
// second request could return the money twice. If the response is unclear, the outcome is determined by an inquiry,
// a callback or the operator.

import type { Db, Tx } from '../../db/db.ts'
import { type Logger, withLogFields } from '../../logging/log.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../../provider-accounts/provider-health.ts'
import { RateLimitedError } from '../../providers/provider.ts'
import type { RefundOutcome, RefundStatus } from '../../providers/refund.ts'
import { after, type Clock } from '../../values/time.ts'
import { inquiryOf, type OnRateLimit } from '../inquire/send-inquiry.ts'
import { recordEvents } from '../record/record-event.ts'
import { recordRefundEvent } from '../record/record-refund-event.ts'
import { markRequested } from '../record/refund.sql.ts'
import {
  failureAtProvider,
  inquiriesEndAt,
  nextRefundCheck,
  type PaymentRefund,
  type RefundEvent,
} from '../record/refund.ts'
import { attemptOfRefund, type PaidAttempt } from './paid-attempt.ts'

type Deps = {
  db: Db
  clock: Clock
  log: Logger
  accountOf: LoadAccount
  health: ProviderHealth
  publicIp: string | undefined
}

/**
 * Requests a refund from the provider, unless the service has already requested it. After a crash,
 * sweep-due-refunds.ts requests it or, if the request may already have been sent, sends an inquiry.
 */
export async function sendRefund(app: Deps, refund: PaymentRefund): Promise<PaymentRefund> {
  const attempt = await attemptOfRefund(app, refund)
  const { refunds, code } = attempt.provider
  // A provider without refunds is an error only if the payment's own order received the money. Money that the operator
  // assigned to the payment may come from a provider that does not support refunds.
  if (attempt.isOwnOrder && !refunds)
    throw new Error(`${code} does not support refunds, so refund ${refund.id} cannot be requested`)
  const now = app.clock()
  const requested = { ...refund, requestedAt: now }
  if (!(await markRequested(app.db, refund, now, nextRefundCheck(requested, now) ?? now))) return refund
  // A provider can refund only money that its order received. If the payment was paid with assigned money, the refund
  // is therefore rejected. Such a refund can exist because the money was assigned after the refund was recorded, or
  // because an earlier version recorded the refund.
  if (!attempt.isOwnOrder || !refunds)
    return record(app, attempt, refund, { type: 'rejected', reason: OTHER_ORDER }, causeOf(refund))
  const outcome = await monitored(app, attempt, refund, () =>
    refunds.refund(attempt.account, requestOf(app, attempt, refund)),
  ).catch(error => {
    app.log.error(
      { err: error, refundId: refund.id },
      'refund request failed: the response could not be processed',
    )
    return { type: 'unknown', reason: "the provider's response could not be read" } as const
  })
  return record(app, attempt, refund, eventOfOutcome(outcome), causeOf(refund))
}

const OTHER_ORDER =
  "the money was received under another order reference, so the provider cannot refund it; request a refund with the payer's bank account"
const causeOf = ({ origin }: PaymentRefund) => (origin === 'operator' ? 'owner' : 'merchant')

/**
 * Inquires about a requested refund and records the result. If the provider's rate limit rejects the inquiry, calls
 * `onRateLimit` and leaves the refund unchanged, because its outcome has not become unclear.
 *
 * Also returns whether the provider answered. A response of unknown meaning does not count as an answer, because most
 * such responses are timeouts. `isAnswered` is undefined if no inquiry was sent.
 */
export async function inquireRefund(
  app: Deps,
  refund: PaymentRefund,
  onRateLimit: OnRateLimit,
): Promise<{ refund: PaymentRefund; isAnswered: boolean | undefined }> {
  const attempt = await attemptOfRefund(app, refund)
  const { refunds } = attempt.provider
  if (!attempt.isOwnOrder) {
    const event = { type: 'outcome_unknown', reason: OTHER_ORDER } as const
    return { refund: await record(app, attempt, refund, event, 'inquiry'), isAnswered: undefined }
  }
  if (!refunds) return { refund, isAnswered: undefined }
  const status = await monitored(app, attempt, refund, async () => {
    const result = await refunds.inquireRefund(attempt.account, requestOf(app, attempt, refund))
    return result.status
  }).catch((error): RefundStatus | undefined => {
    const fields = { err: error, refundId: refund.id }
    if (error instanceof RateLimitedError) {
      app.log.warn(fields, "inquiry about a refund was rejected by the provider's rate limit")
      onRateLimit(error.retryAfterMs)
      return undefined
    }
    app.log.error(fields, 'inquiry about a refund failed')
    return { type: 'unknown', reason: 'the inquiry failed' }
  })
  if (!status) return { refund: (await endInquiries(app, refund)) ?? refund, isAnswered: true }
  const recorded = await record(app, attempt, refund, eventOfStatus(status), 'inquiry')
  return { refund: recorded, isAnswered: status.type !== 'unknown' }
}

/**
 * Call this if the account's rate limit allows no inquiry about a refund. If the time for inquiries has passed, records
 * that the outcome is unknown, so that the refund waits for the Owner. Otherwise, returns undefined.
 */
export async function endInquiries(app: Deps, refund: PaymentRefund): Promise<PaymentRefund | undefined> {
  if (app.clock() < inquiriesEndAt(refund)) return undefined
  const event = { type: 'outcome_unknown', reason: "the provider's rate limit allowed no inquiry" } as const
  return record(app, await attemptOfRefund(app, refund), refund, event, 'inquiry')
}

const monitored = <Result>(
  app: Deps,
  { account, provider }: PaidAttempt,
  { tenantId, id: refundId }: PaymentRefund,
  run: () => Promise<Result>,
): Promise<Result> =>
  withLogFields({ refundId }, () =>
    app.health.monitor({ accountId: account.id, providerCode: provider.code, tenantId }, 'inquiry', run),
  )

const requestOf = (app: Deps, { payment }: PaidAttempt, refund: PaymentRefund) => ({
  reference: refund.reference,
  amount: refund.amount,
  reason: refund.reason,
  order: inquiryOf(payment),
  amountPaid: payment.amountPaid ?? payment.amount,
  isRepeated: false,
  ...(app.publicIp !== undefined && { serviceIp: app.publicIp }),
})

function eventOfOutcome(outcome: RefundOutcome): RefundEvent {
  switch (outcome.type) {
    case 'pending':
      return { type: 'accepted', providerRefundId: outcome.id }
    case 'succeeded':
      return { type: 'succeeded', providerRefundId: outcome.id }
    case 'refused':
      return { type: 'rejected', reason: outcome.reason }
    case 'unknown':
      return { type: 'outcome_unknown', reason: outcome.reason }
  }
}

function eventOfStatus(status: RefundStatus): RefundEvent {
  switch (status.type) {
    case 'pending':
      return { type: 'accepted', providerRefundId: status.id }
    case 'succeeded':
      return { type: 'succeeded', providerRefundId: status.id }
    case 'failed':
      return failureAtProvider(status.id)
    // A provider may list an accepted refund late, so a refund that is missing from the list has not
    // necessarily failed.
    case 'absent':
      return { type: 'outcome_unknown', reason: 'the provider does not list the refund' }
    case 'unknown':
      return { type: 'outcome_unknown', reason: status.reason }
  }
}

async function record(
  app: Deps,
  attempt: PaidAttempt,
  refund: PaymentRefund,
  event: RefundEvent,
  cause: string,
): Promise<PaymentRefund> {
  const at = app.clock()
  const { isRefused, isRecorded, recorded } = await (app.db as Db).transaction(async tx => {
    const { isRefused, refund: recorded } = await recordRefundEvent(tx, refund, event, { cause, at })
    const isRecorded = isRefused && (await recordLateSuccess(tx, attempt, recorded, event, { cause, at }))
    return { isRefused, isRecorded, recorded }
  })
  if (isRefused)
    app.log.error(
      { refundId: refund.id, tenantId: refund.tenantId, event: event.type, status: recorded.status },
      isRecorded
        ? 'the provider made a refund that was already recorded as failed; the refund is debited again or waits for a decision in the Inbox'
        : 'the provider contradicts the recorded outcome of a refund; compare the refund with the provider',
    )
  return recorded
}

/**
 * Records a provider's late response that a failed refund has succeeded after all. For example, the operator may have
 * recorded the failure in the meantime. The refund stays failed, because its amount was credited back. The success is
 * recorded as another refund, or as money that awaits the operator's decision. Returns false if nothing was recorded.
 *
 * A late response that reports the refund as pending is not recorded, because the provider may have reported a failure
 * since that response.
 */
async function recordLateSuccess(
  tx: Tx,
  attempt: PaidAttempt,
  { tenantId, paymentId, reference, amount, status }: PaymentRefund,
  event: RefundEvent,
  { cause, at }: { cause: string; at: Date },
): Promise<boolean> {
  if (status !== 'failed' || event.type !== 'succeeded') return false
  const reported = {
    kind: 'refund',
    id: event.providerRefundId,
    reference,
    amount,
    status: 'succeeded',
  } as const
  const order = inquiryOf(attempt.payment).reference
  const reportedReturns = { reference: order, returns: [reported] }
  const [result] = await recordEvents(
    tx,
    [{ tenantId, paymentId, event: () => undefined, reportedReturns, cause }],
    at,
  )
  return result?.kind === 'changed' || result?.kind === 'set_aside'
}

/** How long a claimed refund is reserved for one process. After that, another process can claim it. */
export const REFUND_CLAIM_MS = 60_000
export const claimedUntil = (now: Date): Date => after(now, REFUND_CLAIM_MS)
