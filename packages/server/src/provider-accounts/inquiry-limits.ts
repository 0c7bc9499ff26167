// How many inquiries the sweep and the callbacks of this process may start for each provider account. Providers limit
// requests by account, so the worker processes share a limit equally. The sweep and the callbacks have a share each, so
// neither can use up the other's; the rest is left for the inbox and for reconciliations on request. The daily
// reconciliation takes what the sweep leaves of its share. An account whose provider answered 429 is paused for this
// process.

import type { Mode } from '../mode.ts'
import type { InquiryBounds } from '../providers/provider.ts'

export type InquiryPurpose = Share | 'reconciliation'
type Share = 'sweep' | 'callbacks'

/** With both bursts they stay below the limit in every minute: 0.85 * 70/60 < 1. */
const SHARES: Record<Share, number> = { sweep: 0.5, callbacks: 0.35 }
/** Started at once after a quiet time: what comes together in ten seconds. */
const BURST_SECONDS = 10
/** Of the sweep's burst, what the reconciliation leaves: payments whose check is due never wait for it. */
const LEFT_FOR_CHECKS = 0.5

type Account = { id: string; mode: Mode; baseUrl: string | null }

export type InquiryLimits = {
  /** workers: how many processes share the limits, this one included. */
  setWorkers(workers: number): void
  /** False where the account has used the purpose's share. */
  take(account: Account, bounds: InquiryBounds | undefined, purpose: InquiryPurpose): boolean
  pause(accountId: string, ms: number): void
  /** Null where the account is not paused. */
  pausedUntil(accountId: string): Date | null
  /** How many inquiries of the sweep may start now, for the accounts that are known to be limited. */
  rooms(): { accountId: string; room: number }[]
}

/** perSecond: of the purpose, in all processes. */
type Bucket = { tokens: number; perSecond: number; filledAtMs: number }

export function inquiryLimits(clock: () => Date): InquiryLimits {
  const buckets = { sweep: new Map<string, Bucket>(), callbacks: new Map<string, Bucket>() }
  let processes = 1
  const paused = new Map<string, Date>()

  const mostOf = ({ perSecond }: Bucket) => Math.max(1, (perSecond / processes) * BURST_SECONDS)

  function filled(bucket: Bucket): Bucket {
    const nowMs = clock().getTime()
    const perSecond = bucket.perSecond / processes
    const seconds = Math.max(0, nowMs - bucket.filledAtMs) / 1_000
    bucket.tokens = Math.min(mostOf(bucket), bucket.tokens + seconds * perSecond)
    bucket.filledAtMs = nowMs
    return bucket
  }

  return {
    setWorkers(workers) {
      processes = Math.max(1, workers)
    },
    take({ id, mode, baseUrl }, bounds, purpose) {
      const perMinute = bounds?.perMinute?.[mode]
      // A sandbox or proxy has limits of its own.
      if (perMinute === undefined || baseUrl !== null) return true
      const share = purpose === 'reconciliation' ? 'sweep' : purpose
      const perSecond = (perMinute * SHARES[share]) / 60
      const bucket = filled(
        buckets[share].get(id) ?? { tokens: perMinute, perSecond, filledAtMs: clock().getTime() },
      )
      buckets[share].set(id, bucket)
      const left = purpose === 'reconciliation' ? mostOf(bucket) * LEFT_FOR_CHECKS : 0
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
    rooms: () =>
      [...buckets.sweep].map(([accountId, bucket]) => ({
        accountId,
        room: Math.floor(filled(bucket).tokens),
      })),
  }
}
