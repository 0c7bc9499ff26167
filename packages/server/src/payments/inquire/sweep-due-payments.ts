// The sweep is a background job that sends due status inquiries. Pending and challenged payments follow a schedule
// (inquiry-schedule.ts). The last two inquiries for a pending payment are sent at its expiry time and five minutes
// later. After a charge with an unknown outcome, inquiries continue until the provider responds or three days have
// passed.

import type { Db } from '../../db/db.ts'
import { eventLoopLimit } from '../../fairness/event-loop-limit.ts'
import { type Logger, withLogFields } from '../../logging/log.ts'
import { accountSlots, fewestSlots } from '../../provider-accounts/account-slots.ts'
import { type InquiryLimits, inquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../../provider-accounts/provider-health.ts'
import { inSpan, paymentSpan } from '../../tracing/span.ts'
import { after, type Clock } from '../../values/time.ts'
import { nextInquiryOfChallenged, nextInquiryOfPending } from '../inquiry-schedule.ts'
import { attemptStartedAt, hasTransitioned, type Payment, referenceOf } from '../payment.ts'
import type { RecordInBatch } from '../record/event-batch.ts'
import { UNCONFIRMED_CHECK_MS } from '../record/transitions.ts'
import { absenceCountsAfterMs, inquireAndRecordResult } from './inquire-and-record.ts'
import { claimDuePayments, postponeCheckInBatch } from './next-check.sql.ts'
import { readUnpaidList } from './send-inquiry.ts'
import { tenantSlots } from './tenant-slots.ts'

/**
 * The number of slots, which is the maximum number of checks in flight in this process. One account may use up to
 * half of them. All accounts that did not respond to their last check share the other half.
 */
const MAX_IN_FLIGHT = 500
/**
 * The maximum number of checks that start in one turn of the event loop. If all due checks started at once, requests to
 * this process would have to wait until they had started.
 */
const MAX_STARTS_PER_TURN = 8
/**
 * How long a process reserves the payments that it claims. If the process crashes, the payments can be claimed again
 * after this time. Even the longest check ends earlier: seven requests to Xendit (four of them for list pages) of up to
 * 10 s each.
 */
const CLAIM_MS = 90_000
/**
 * If at least this number of an account's payments are due for a status inquiry, the service requests the provider's
 * list of unpaid payments. Otherwise, each payment gets a separate inquiry.
 */
const LISTED_FROM = 5
/**
 * A payment that expires within this time gets its own status inquiry. The provider's list of unpaid payments is not
 * sufficient proof to let a payment expire.
 */
const LISTED_BEFORE_EXPIRY_MS = 2 * 60_000
/**
 * The maximum age of payments that are looked up in a provider's list of unpaid payments. Older payments get
 * separate inquiries, because the list starts with the newest payments.
 */
const LISTED_FOR_MS = 24 * 3_600_000

type Deps = {
  db: Db
  clock: Clock
  accountOf: LoadAccount
  health: ProviderHealth
  recordInBatch: RecordInBatch
  log: Logger
  publicUrl: string
}

export type DuePaymentSweep = {
  /**
   * Starts as many due checks as there are free slots. Resolves to true if any check was started, because more
   * checks may then be due.
   */
  begin(): Promise<boolean>
  ended(): Promise<unknown>
}

export function duePaymentSweep(
  app: Deps,
  limits: InquiryLimits = inquiryLimits(app.clock),
): DuePaymentSweep {
  const inFlight = new Set<Promise<void>>()
  const slots = accountSlots(MAX_IN_FLIGHT)
  const slotsOfTenants = tenantSlots()
  const turns = eventLoopLimit(MAX_STARTS_PER_TURN)

  async function checkAll(accountId: string, due: Payment[], now: Date): Promise<void> {
    // All unresponsive accounts together may use only half of the slots for checks, so a claimed payment may get no
    // slot. It is claimed again after its claim expires.
    const withSlot = due.filter(() => slots.take(accountId))
    for (const { tenantId } of withSlot) slotsOfTenants.take({ accountId, tenantId })
    const isUnpaid = await findUnpaid(accountId, withSlot, now)
    await Promise.all(
      withSlot.map(async payment => {
        const { tenantId, id: paymentId, paymentCode } = payment
        await turns.next('all accounts')
        await withLogFields({ job: 'check_payment', tenantId, paymentId, paymentCode }, () =>
          check(payment, isUnpaid.has(referenceOf(payment)), now),
        )
      }),
    )
  }

  async function findUnpaid(accountId: string, due: Payment[], now: Date): Promise<ReadonlySet<string>> {
    const [first, ...others] = due.filter(
      payment =>
        payment.status === 'pending' &&
        payment.expiresAt > after(now, LISTED_BEFORE_EXPIRY_MS) &&
        attemptStartedAt(payment) > after(now, -LISTED_FOR_MS),
    )
    if (!first || others.length + 1 < LISTED_FROM || limits.pausedUntil(accountId)) return new Set()
    return readUnpaidList(app, accountId, [first, ...others], ms => limits.pause(accountId, ms))
  }

  async function check(payment: Payment, isUnpaid: boolean, now: Date): Promise<void> {
    const { providerAccountId: accountId, tenantId } = payment
    let isAnswered: boolean | undefined
    try {
      isAnswered = await inSpan('check payment', { parent: paymentSpan(payment.id) }, async () => {
        const notBefore = isUnpaid ? undefined : await deferral(payment, now)
        if (notBefore) {
          await postponeCheckInBatch(app.db, payment, notBefore)
          return undefined
        }
        const refreshed = isUnpaid ? { payment, isAnswered: true } : await ask(payment)
        await recordOrPostpone(app, payment, refreshed, now)
        return refreshed.isAnswered
      })
    } catch (error) {
      app.log.error({ err: error }, 'status check of a payment failed')
    } finally {
      slots.release(accountId, isAnswered)
      slotsOfTenants.free({ accountId, tenantId })
    }
  }

  /**
   * Returns the time to which the payment's status check must be postponed, or undefined if the check may
   * start now.
   */
  async function deferral(payment: Payment, now: Date): Promise<Date | undefined> {
    const isPending = payment.status === 'pending'
    const paused = limits.pausedUntil(payment.providerAccountId)
    // A payment expires on time, even while a rate limit pauses inquiries for its account. The inquiry that follows
    // five minutes after the expiry waits until the pause ends.
    if (paused && isPending) {
      if (payment.expiresAt <= now) return undefined
      return new Date(Math.min(paused.getTime(), payment.expiresAt.getTime()))
    }
    if (paused) return paused
    const { provider, account } = (await app.accountOf(payment.providerAccountId)) ?? {}
    const bounds = provider?.inquiryLimits
    const earliest = after(attemptStartedAt(payment), (bounds?.earliestSeconds ?? 0) * 1_000)
    if (isPending && now < earliest) return earliest
    return account === undefined || limits.take(account, bounds, 'sweep') ? undefined : now
  }

  async function ask(payment: Payment): ReturnType<typeof inquireAndRecordResult> {
    const { providerAccountId } = payment
    if (limits.pausedUntil(providerAccountId)) return { payment, isAnswered: false }
    return inquireAndRecordResult(app, payment, ms => limits.pause(providerAccountId, ms))
  }

  return {
    async begin() {
      const freeSlots = slots.freeSlots()
      if (freeSlots === 0) return false
      const now = app.clock()
      const due = await claimDuePayments(app.db, now, after(now, CLAIM_MS), {
        freeSlots,
        slotsOfAccounts: fewestSlots([
          ...slots.freeSlotsOfAccounts(),
          ...limits.availableOfAccounts('sweep'),
        ]),
        slotsOfOtherAccounts: slots.slotsPerAccount,
        slotsOfTenants: slotsOfTenants.freeSlots(slots.freeSlotsOfAccounts()),
        lastTenants: slotsOfTenants.lastServed(),
      })
      for (const [accountId, payments] of Map.groupBy(due, each => each.providerAccountId)) {
        slotsOfTenants.recordTurn(accountId, [...new Set(payments.map(each => each.tenantId))])
        const checking = checkAll(accountId, payments, now).finally(() => inFlight.delete(checking))
        inFlight.add(checking)
      }
      return due.length > 0
    },
    ended: () => Promise.all(inFlight),
  }
}

/**
 * After a status check, expires a pending payment whose expiry time has passed, or schedules the next check. The time
 * of this check depends on the payment's status and on whether the provider responded.
 */
async function recordOrPostpone(
  app: Deps,
  payment: Payment,
  { payment: refreshed, isAnswered }: Awaited<ReturnType<typeof inquireAndRecordResult>>,
  now: Date,
): Promise<void> {
  const { tenantId, id: paymentId } = payment
  switch (refreshed.status) {
    case 'pending':
      if (refreshed.expiresAt > now)
        return postponeCheckInBatch(app.db, refreshed, nextCheckOfPending(refreshed, isAnswered, now))
      await app.recordInBatch({
        tenantId,
        paymentId,
        // A payment that became challenged during the inquiry does not expire, because it was held for fraud review or
        // partly paid.
        event: current => (current.status === 'pending' ? { type: 'expired' } : undefined),
        cause: 'expiry',
      })
      return
    case 'challenged':
      if (!hasTransitioned(payment, refreshed))
        await postponeCheckInBatch(
          app.db,
          refreshed,
          nextInquiryOfChallenged(refreshed, refreshed.updatedAt, now),
        )
      return
    case 'charging': {
      // The provider may not have stored a recent charge's order yet, so a response that the order does not exist
      // is ignored.
      const { provider } = (await app.accountOf(refreshed.providerAccountId)) ?? {}
      const holdsFrom = after(refreshed.updatedAt, absenceCountsAfterMs(provider?.inquiryLimits))
      if (now < holdsFrom) return postponeCheckInBatch(app.db, refreshed, holdsFrom)
      // The process that sent the charge has crashed, and the status inquiry found no status either. The
      // charge's outcome is therefore unknown, as after a timeout.
      const reason = 'the charge was interrupted'
      const nextCheckAt = after(now, unknownPolledAfterMs[0])
      await app.recordInBatch({
        tenantId,
        paymentId,
        event: current =>
          hasTransitioned(refreshed, current) ? undefined : { type: 'outcome_unknown', reason, nextCheckAt },
        cause: 'inquiry',
      })
      return
    }
    case 'paid':
      // A payment that became paid or was confirmed during this check has no next check.
      if (refreshed.nextCheckAt !== null)
        await postponeCheckInBatch(app.db, refreshed, nextCheckOfPaid(refreshed, now))
      return
    case 'unknown':
      return postponeCheckInBatch(app.db, refreshed, nextCheckOfUnknown(refreshed, now))
    case 'expired':
    case 'cancelled':
    case 'failed':
      // After a payment has ended unpaid, one more inquiry is sent to find money that the payer sent late. This
      // inquiry is retried until the provider responds.
      if (!hasTransitioned(payment, refreshed))
        await postponeCheckInBatch(app.db, refreshed, isAnswered ? null : nextCheckOfClosed(refreshed, now))
  }
}

/**
 * The delay before a failed inquiry about a pending payment is retried. Without this retry, an inquiry would be skipped
 * if the provider was unavailable at the scheduled time.
 */
const RETRY_NO_RESPONSE_MS = 5 * 60_000

function nextCheckOfPending(payment: Payment, isAnswered: boolean, now: Date): Date {
  const next = nextInquiryOfPending(payment, now)
  const again = after(now, RETRY_NO_RESPONSE_MS)
  return isAnswered || next < again ? next : again
}

/**
 * When inquiries about a charge with an unknown outcome are sent, measured from the end of the charge. The
 * very first inquiry is sent after 5 s (create/charge-payment.ts). After the times listed here, an inquiry
 * follows every hour.
 */
const unknownPolledAfterMs = [15_000, 60_000, 300_000] as const
const HOURLY_MS = 3_600_000
/**
 * The time after which inquiries about an unknown outcome stop and an operator must investigate. The payment
 * never fails automatically, because the payer may have paid.
 */
const POLLED_FOR_MS = 72 * HOURLY_MS

/**
 * Returns the time of the next status inquiry about a charge with an unknown outcome. Returns null after the last one,
 * because an operator must then investigate.
 */
function nextCheckOfUnknown(payment: Payment, now: Date): Date | null {
  const waitedMs = now.getTime() - payment.updatedAt.getTime()
  const nextHourMs = (Math.floor(waitedMs / HOURLY_MS) + 1) * HOURLY_MS
  const afterMs = unknownPolledAfterMs.find(each => each > waitedMs) ?? nextHourMs
  return afterMs > POLLED_FOR_MS ? null : after(payment.updatedAt, afterMs)
}

/**
 * Returns the time of the next inquiry about a paid payment, or null if no more inquiries are sent. Inquiries follow
 * only if the operator made the credit and the provider has not confirmed it. After the last inquiry, only a callback
 * or the operator can confirm the credit.
 */
const nextCheckOfPaid = ({ unconfirmedSince: since }: Payment, now: Date): Date | null =>
  since === null || now.getTime() - since.getTime() >= POLLED_FOR_MS ? null : after(now, UNCONFIRMED_CHECK_MS)

/**
 * Returns the time of the next inquiry about a payment that ended unpaid, if the provider did not respond to the last
 * one. Returns null from three days after the payment's expiry time or its end, whichever is later. The end counts
 * because payments can end long after their expiry time, for example after a restore or a long stop. Their money must
 * still be found.
 */
function nextCheckOfClosed({ expiresAt, updatedAt }: Payment, now: Date): Date | null {
  const endedForMs = now.getTime() - Math.max(expiresAt.getTime(), updatedAt.getTime())
  return endedForMs >= POLLED_FOR_MS ? null : after(now, HOURLY_MS)
}
