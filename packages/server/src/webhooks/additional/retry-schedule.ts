// Retry schedules for webhooks: the delays between attempts to deliver an event. A tenant's callback URL uses the short
// schedule. An additional endpoint uses the short or the long schedule. The long schedule is long enough for a receiver
// that is down over a weekend.

export const schedules = ['short', 'long'] as const
export type Schedule = (typeof schedules)[number]

const SECOND = 1_000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

const pausesMs: Record<Schedule, readonly number[]> = {
  short: [10 * SECOND, 10 * SECOND, 10 * SECOND],
  long: [
    ...[10 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE],
    ...[2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR],
  ],
}

/**
 * Returns the delay in milliseconds before the next attempt after this number of failed webhook delivery attempts.
 * Returns null if no further attempt is made.
 */
export const pauseAfter = (schedule: Schedule, failedAttempts: number): number | null =>
  pausesMs[schedule][failedAttempts - 1] ?? null
