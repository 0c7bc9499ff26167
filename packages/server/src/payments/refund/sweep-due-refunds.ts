// A background job for refunds whose next refund request or status inquiry is due. If a process recorded a refund but
// crashed before it sent the refund request, this job sends the request. For pending refunds, the job sends inquiries
// at increasing intervals.

import type { Db } from '../../db/db.ts'
import type { Logger } from '../../logging/log.ts'
import { accountSlots, fewestSlots } from '../../provider-accounts/account-slots.ts'
import { type InquiryLimits, inquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../../provider-accounts/provider-health.ts'
import type { Clock } from '../../values/time.ts'
import type { PaymentRefund } from '../record/refund.ts'
import { claimDueRefunds } from './due-refunds.sql.ts'
import { claimedUntil, endInquiries, inquireRefund, sendRefund } from './send-refund.ts'

/**
 * The maximum number of refund requests and inquiries in flight in this process. One account may use up to half of them.
 * All accounts whose last refund had an unclear outcome share the other half.
 */
const MAX_IN_FLIGHT = 100

type Deps = {
  db: Db
  clock: Clock
  log: Logger
  accountOf: LoadAccount
  health: ProviderHealth
  publicIp: string | undefined
}

export type DueRefundSweep = {
  /**
   * Starts the next request or inquiry of as many due refunds as there are free slots. Resolves to true if any refund was
   * due, because more refunds may then be due.
   */
  begin(): Promise<boolean>
  ended(): Promise<unknown>
}

export function dueRefundSweep(app: Deps, limits: InquiryLimits = inquiryLimits(app.clock)): DueRefundSweep {
  const inFlight = new Set<Promise<void>>()
  const slots = accountSlots(MAX_IN_FLIGHT)

  async function run(refund: PaymentRefund): Promise<void> {
    let isAnswered: boolean | undefined
    try {
      isAnswered = await continueRefund(refund)
    } catch (error) {
      app.log.error(
        { err: error, refundId: refund.id },
        'a refund could not be continued; it will be retried',
      )
    } finally {
      slots.release(refund.providerAccountId, isAnswered)
    }
  }

  /**
   * Requests the refund or sends an inquiry about it. Resolves to whether the provider answered, or undefined if nothing
   * was sent. The rate limit may not allow an inquiry now. The refund is then claimed again after its claim expires.
   */
  async function continueRefund(refund: PaymentRefund): Promise<boolean | undefined> {
    const { providerAccountId: accountId } = refund
    const isPaused = limits.pausedUntil(accountId) !== null
    if (refund.requestedAt === null) return isPaused ? undefined : isClear(await sendRefund(app, refund))
    const loaded = await app.accountOf(accountId)
    if (isPaused || (loaded && !limits.take(loaded.account, loaded.provider.inquiryLimits, 'refunds'))) {
      await endInquiries(app, refund)
      return undefined
    }
    return (await inquireRefund(app, refund, ms => limits.pause(accountId, ms))).isAnswered
  }

  return {
    async begin() {
      const freeSlots = slots.freeSlots()
      if (freeSlots === 0) return false
      const now = app.clock()
      const due = await claimDueRefunds(app.db, {
        ...{ now, until: claimedUntil(now), freeSlots },
        slotsOfAccounts: fewestSlots([
          ...slots.freeSlotsOfAccounts(),
          ...limits.availableOfAccounts('refunds'),
        ]),
        slotsOfOtherAccounts: slots.slotsPerAccount,
      })
      for (const refund of due) {
        // All unresponsive accounts together may use only half of the slots, so a claimed refund may get no slot. It is
        // claimed again after its claim expires.
        if (!slots.take(refund.providerAccountId)) continue
        const running = run(refund).finally(() => inFlight.delete(running))
        inFlight.add(running)
      }
      return due.length > 0
    },
    ended: () => Promise.all(inFlight),
  }
}

/** Returns whether the provider's response to a refund request shows its outcome. Most unclear outcomes are timeouts. */
const isClear = ({ status, failureReason }: PaymentRefund): boolean =>
  status !== 'pending' || failureReason === null
