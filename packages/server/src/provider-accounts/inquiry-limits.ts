// How many inquiries the sweep of this process may start for each provider account. Providers limit requests by account,
// so the worker processes share a limit equally; half of it is left for inquiries that callbacks, users and reports need.
// An account whose provider answered 429 is paused for this process.

import type { Mode } from '../mode.ts'
import type { InquiryBounds } from '../providers/provider.ts'

const SHARE = 0.5
/** Started at once after a quiet time: what comes together in ten seconds. */
const BURST_SECONDS = 10

type Account = { id: string; mode: Mode; baseUrl: string | null }

export type InquiryLimits = {
  /** False where the account has used its share; the check is then due again at once. */
  take(account: Account, bounds: InquiryBounds | undefined): boolean
  pause(accountId: string, ms: number): void
  /** Null where the account is not paused. */
  pausedUntil(accountId: string): Date | null
  /** How many inquiries may start now, of the accounts that are known to be limited. */
  rooms(): { accountId: string; room: number }[]
}

type Bucket = { tokens: number; perMinute: number; filledAtMs: number }

export function inquiryLimits(clock: () => Date, workers: () => number): InquiryLimits {
  const buckets = new Map<string, Bucket>()
  const paused = new Map<string, Date>()

  function filled(bucket: Bucket): Bucket {
    const nowMs = clock().getTime()
    const perSecond = (bucket.perMinute * SHARE) / 60 / Math.max(1, workers())
    const seconds = Math.max(0, nowMs - bucket.filledAtMs) / 1_000
    const most = Math.max(1, perSecond * BURST_SECONDS)
    bucket.tokens = Math.min(most, bucket.tokens + seconds * perSecond)
    bucket.filledAtMs = nowMs
    return bucket
  }

  return {
    take({ id, mode, baseUrl }, bounds) {
      const perMinute = bounds?.perMinute?.[mode]
      // A sandbox or proxy has limits of its own.
      if (perMinute === undefined || baseUrl !== null) return true
      const bucket = filled(
        buckets.get(id) ?? { tokens: perMinute, perMinute, filledAtMs: clock().getTime() },
      )
      buckets.set(id, bucket)
      if (bucket.tokens < 1) return false
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
      [...buckets].map(([accountId, bucket]) => ({ accountId, room: Math.floor(filled(bucket).tokens) })),
  }
}
