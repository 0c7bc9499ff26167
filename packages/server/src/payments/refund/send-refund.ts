// Requests refunds from the provider and inquires about them later. A refund is requested only once, because a
// second request could return the money twice. If the response is unclear, the outcome is determined by an inquiry,
// a callback or the operator.

import type { Db } from '../../db/db.ts'
import { type Logger, withLogFields } from '../../logging/log.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../../provider-accounts/provider-health.ts'
import { RateLimitedError } from '../../providers/provider.ts'
import type { RefundOutcome, RefundStatus } from '../../providers/refund.ts'
import { after, type Clock } from '../../values/time.ts'
import { inquiryOf } from '../inquire/send-inquiry.ts'
import { recordRefundEvent } from '../record/record-refund-event.ts'
import { markRequested } from '../record/refund.sql.ts'
import { nextRefundCheck, type PaymentRefund, type RefundEvent } from '../record/refund.ts'
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
 * Requests the refund from the provider unless it was already requested. After a crash, sweep-due-refunds.ts
 * requests the refund, or inquires about it if the request may have been sent.
 */
export async function sendRefund(app: Deps, refund: PaymentRefund): Promise<PaymentRefund> {
  const attempt = await attemptOfRefund(app, refund)
  const { refunds, code } = attempt.provider
  if (!refunds) throw new Error(`${code} does not support refunds, but refund ${refund.id} is due`)
  const now = app.clock()
  const requested = { ...refund, requestedAt: now }
  if (!(await markRequested(app.db, refund, now, nextRefundCheck(requested, now) ?? now))) return refund
  const outcome = await monitored(app, attempt, refund, () =>
    refunds.refund(attempt.account, requestOf(app, attempt, refund)),
  ).catch(error => {
    app.log.error(
      { err: error, refundId: refund.id },
      'refund request failed: the response could not be processed',
    )
    return { type: 'unknown', reason: "the provider's response could not be read" } as const
  })
  return record(app, refund, eventOfOutcome(outcome), refund.origin === 'operator' ? 'owner' : 'merchant')
}

/** Inquires about a requested refund and records the result. */
export async function inquireRefund(
  app: Deps,
  refund: PaymentRefund,
  onRateLimit: (retryAfterMs: number) => void = () => {},
): Promise<PaymentRefund> {
  const attempt = await attemptOfRefund(app, refund)
  const { refunds } = attempt.provider
  if (!refunds) return refund
  const status = await monitored(app, attempt, refund, async () => {
    const result = await refunds.inquireRefund(attempt.account, requestOf(app, attempt, refund))
    return result.status
  }).catch((error): RefundStatus => {
    if (error instanceof RateLimitedError) onRateLimit(error.retryAfterMs)
    else app.log.error({ err: error, refundId: refund.id }, 'inquiry about a refund failed')
    return { type: 'unknown', reason: 'the inquiry failed' }
  })
  return record(app, refund, eventOfStatus(status), 'inquiry')
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
      return {
        type: 'failed',
        reason: 'the provider reports that the refund failed',
        providerRefundId: status.id,
      }
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
  refund: PaymentRefund,
  event: RefundEvent,
  cause: string,
): Promise<PaymentRefund> {
  const at = app.clock()
  const recorded = await (app.db as Db).transaction(tx => recordRefundEvent(tx, refund, event, { cause, at }))
  if (recorded.isRefused)
    app.log.error(
      { refundId: refund.id, tenantId: refund.tenantId, event: event.type, status: recorded.refund.status },
      'the provider contradicts the recorded outcome of a refund; compare the refund with the provider',
    )
  return recorded.refund
}

/** How long a claimed refund is reserved for one process. After that, another process can claim it. */
export const REFUND_CLAIM_MS = 60_000
export const claimedUntil = (now: Date): Date => after(now, REFUND_CLAIM_MS)
