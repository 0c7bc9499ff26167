// Limits the rate of status inquiries per provider account, because the providers also limit this rate. All processes
// with a worker share an account's limit equally. After an HTTP 429 response, this process pauses its inquiries for the
// account.
//
// The rate limit is divided into shares:
//
// - One share for the sweep (regular checks of pending payments). The daily reconciliation uses what the sweep does not
//   need.
// - One share for inquiries after callbacks.
// - One share for inquiries about refunds.
// - The rest for inquiries that users start. They do this by repeating a create request, in the Inbox (the operator's
//   list of items to decide), or by requesting a reconciliation.

import type { ProviderInquiryLimits } from '../providers/provider.ts'
import type { Mode } from '../values/mode.ts'
import type { AccountRoom } from './account-slots.ts'

export type InquiryPurpose = Share | 'reconciliation'
type Share = 'sweep' | 'callbacks' | 'refunds' | 'repeats'

/**
 * The shares of a provider's rate limit for different kinds of inquiries:
 *
 * - `sweep`: regular checks of due payments
 * - `callbacks`: inquiries after callbacks
 * - `refunds`: inquiries about requested refunds. They have their own share, so that they continue even if due payments
 *   use the whole share of the sweep. They also use what the sweep does not need.
 * - `repeats`: inquiries after repeated create requests
 *
 * The first three shares add up to 0.85. Unused inquiries accumulate for ten seconds, so one minute can contain the
 * inquiries of 70 seconds. This stays below the limit, because 0.85 * 70/60 < 1. The share `repeats` is small, because
 * each process that serves requests has its own.
 */
const SHARES: Record<Share, number> = { sweep: 0.45, callbacks: 0.35, refunds: 0.05, repeats: 0.05 }
/**
 * Limits the size of a burst: a burst can use the status inquiries that were left unused in this many
 * seconds.
 */
const BURST_SECONDS = 10
/**
 * The fraction of a burst of status inquiries that is reserved for the regular checks of pending payments (the sweep).
 * The daily reconciliation must not use this fraction, so that the regular checks never have to wait.
 */
const SHARE_LEFT_FOR_CHECKS = 0.5

type Account = { id: string; mode: Mode; baseUrl: string | null }

export type InquiryLimits = {
  /** Sets the number of processes that share the status inquiry rate limits, including this process. */
  setWorkers(workers: number): void
  /**
   * Counts one status inquiry toward the share of the rate limit that inquiries for `purpose` may use.
   * Returns false if the provider account has already used up this share.
   */
  take(account: Account, bounds: ProviderInquiryLimits | undefined, purpose: InquiryPurpose): boolean
  pause(accountId: string, ms: number): void
  /**
   * Returns the time when the provider account's pause in status inquiries ends, or null if its inquiries are
   * not paused.
   */
  pausedUntil(accountId: string): Date | null
  /**
   * Returns how many inquiries about due payments or refunds may start now for each account. Accounts without a limit,
   * and accounts that have sent no such inquiry, are omitted.
   */
  availableOfAccounts(share: 'sweep' | 'refunds'): AccountRoom[]
}

/** A token bucket. `perSecond` is the combined rate of all processes. */
type Bucket = { tokens: number; perSecond: number; filledAtMs: number }

export function inquiryLimits(clock: () => Date): InquiryLimits {
  const buckets: Record<Share, Map<string, Bucket>> = {
    sweep: new Map(),
    callbacks: new Map(),
    refunds: new Map(),
    repeats: new Map(),
  }
  let processes = 1
  const paused = new Map<string, Date>()

  const capacityOf = ({ perSecond }: Bucket) => Math.max(1, (perSecond / processes) * BURST_SECONDS)

  function filled(bucket: Bucket): Bucket {
    const nowMs = clock().getTime()
    const perSecond = bucket.perSecond / processes
    const seconds = Math.max(0, nowMs - bucket.filledAtMs) / 1_000
    bucket.tokens = Math.min(capacityOf(bucket), bucket.tokens + seconds * perSecond)
    bucket.filledAtMs = nowMs
    return bucket
  }

  /** Takes a token, unless less than the fraction `left` of a full bucket would be left. */
  function takeFrom(share: Share, accountId: string, perMinute: number, left = 0): boolean {
    const perSecond = (perMinute * SHARES[share]) / 60
    const bucket = filled(
      buckets[share].get(accountId) ?? { tokens: perMinute, perSecond, filledAtMs: clock().getTime() },
    )
    buckets[share].set(accountId, bucket)
    if (bucket.tokens < Math.max(1, capacityOf(bucket) * left)) return false
    bucket.tokens -= 1
    return true
  }

  /** The number of tokens that may be taken without leaving less than the fraction `left` of a full bucket. */
  function roomIn(share: Share, accountId: string, left = 0): number {
    const bucket = buckets[share].get(accountId)
    if (!bucket) return 0
    const { tokens } = filled(bucket)
    return Math.max(0, Math.floor(tokens - Math.max(1, capacityOf(bucket) * left)) + 1)
  }

  return {
    setWorkers(workers) {
      processes = Math.max(1, workers)
    },
    take({ id, mode, baseUrl }, bounds, purpose) {
      const perMinute = bounds?.perMinute?.[mode]
      // An account with its own base URL uses a sandbox or a proxy instead of the provider's address. Its inquiries
      // are not limited, because the provider's published limits do not apply to it.
      if (perMinute === undefined || baseUrl !== null) return true
      switch (purpose) {
        case 'reconciliation':
          return takeFrom('sweep', id, perMinute, SHARE_LEFT_FOR_CHECKS)
        case 'refunds':
          return takeFrom('refunds', id, perMinute) || takeFrom('sweep', id, perMinute, SHARE_LEFT_FOR_CHECKS)
        default:
          return takeFrom(purpose, id, perMinute)
      }
    },
    pause(accountId, ms) {
      paused.set(accountId, new Date(clock().getTime() + ms))
    },
    pausedUntil(accountId) {
      const until = paused.get(accountId)
      if (until === undefined || until > clock()) return until ?? null
      paused.delete(accountId)
      return null
    },
    availableOfAccounts: share =>
      [...buckets[share].keys()].map(accountId => ({
        accountId,
        room:
          roomIn(share, accountId) +
          (share === 'refunds' ? roomIn('sweep', accountId, SHARE_LEFT_FOR_CHECKS) : 0),
      })),
  }
}
