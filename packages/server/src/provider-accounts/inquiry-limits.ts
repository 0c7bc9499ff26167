// Limits the rate of status inquiries per provider account, because providers limit it, too. All processes with a
// worker share an account's limit equally. After an HTTP 429, this process pauses its inquiries for the account.
//
// The sweep (regular checks of pending payments) and the inquiries after callbacks each have a share of the rate
// limit. The daily reconciliation uses the inquiries that the sweep does not need. The rest of the limit is for
// inquiries that users start: by repeating a create request, from the Inbox (the operator's list of items to decide)
// or by requesting a reconciliation.

import type { ProviderInquiryLimits } from '../providers/provider.ts'
import type { Mode } from '../values/mode.ts'

export type InquiryPurpose = Share | 'reconciliation'
type Share = 'sweep' | 'callbacks' | 'repeats'

/**
 * The shares of a provider's rate limit for the sweep (regular checks of due payments), for inquiries after callbacks
 * and for inquiries after repeated create requests. The first two together use 0.85 of the limit. Even with a burst of
 * ten seconds, they stay below the limit in every minute: 0.85 * 70/60 < 1. The share for repeated requests is small,
 * because every process that serves requests has its own.
 */
const SHARES: Record<Share, number> = { sweep: 0.5, callbacks: 0.35, repeats: 0.05 }
/** The maximum burst, in seconds. Unused inquiries accumulate for this long. */
const BURST_SECONDS = 10
/**
 * The fraction of the burst that the daily reconciliation must not use. It is reserved for the regular checks of
 * pending payments (the sweep), so that these checks never have to wait.
 */
const SHARE_LEFT_FOR_CHECKS = 0.5

type Account = { id: string; mode: Mode; baseUrl: string | null }

export type InquiryLimits = {
  /** Sets the number of processes that share the status inquiry rate limits, including this process. */
  setWorkers(workers: number): void
  /**
   * Counts one status inquiry against the share of the rate limit for `purpose`. Returns false if the
   * provider account has used up this share.
   */
  take(account: Account, bounds: ProviderInquiryLimits | undefined, purpose: InquiryPurpose): boolean
  pause(accountId: string, ms: number): void
  /** Returns when the provider account's pause on status inquiries ends, or null if they are not paused. */
  pausedUntil(accountId: string): Date | null
  /**
   * Returns how many status inquiries the sweep (regular checks of pending payments) may start now for each
   * account. Lists only accounts that have a limit and have sent inquiries.
   */
  availableOfAccounts(): { accountId: string; room: number }[]
}

/** A token bucket. `perSecond` is the combined rate of all processes. */
type Bucket = { tokens: number; perSecond: number; filledAtMs: number }

export function inquiryLimits(clock: () => Date): InquiryLimits {
  const buckets: Record<Share, Map<string, Bucket>> = {
    sweep: new Map(),
    callbacks: new Map(),
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

  return {
    setWorkers(workers) {
      processes = Math.max(1, workers)
    },
    take({ id, mode, baseUrl }, bounds, purpose) {
      const perMinute = bounds?.perMinute?.[mode]
      // If an account has its own base URL, it uses a sandbox or a proxy, where the provider's published limits do
      // not apply.
      if (perMinute === undefined || baseUrl !== null) return true
      const share = purpose === 'reconciliation' ? 'sweep' : purpose
      const perSecond = (perMinute * SHARES[share]) / 60
      const bucket = filled(
        buckets[share].get(id) ?? { tokens: perMinute, perSecond, filledAtMs: clock().getTime() },
      )
      buckets[share].set(id, bucket)
      const left = purpose === 'reconciliation' ? capacityOf(bucket) * SHARE_LEFT_FOR_CHECKS : 0
      if (bucket.tokens < Math.max(1, left)) return false
      bucket.tokens -= 1
      return true
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
    availableOfAccounts: () =>
      [...buckets.sweep].map(([accountId, bucket]) => ({
        accountId,
        room: Math.floor(filled(bucket).tokens),
      })),
  }
}
