// When the provider of a payment that waits for its payer is asked about it next. Callbacks get lost, so an open
// payment is inquired about from its creation on: often at first, when most payers pay, and then less and less often.
// Pure. The checks of other statuses follow from what the provider answered (check-due-payments.ts).

import { after } from '../time.ts'
import type { MethodType } from './method.ts'
import { type Payment, startOf } from './payment.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Minutes since the charge. After the last of them: hourly for a day, then every six hours. */
const firstInquiries: Record<MethodType, readonly number[]> = {
  // These payers have the phone in their hand.
  e_wallet: [1, 2, 4, 8, 15, 30],
  qris: [1, 2, 4, 8, 15, 30],
  virtual_account: [2, 5, 10, 20, 40],
  over_the_counter: [2, 5, 10, 20, 40],
}
const inquiriesOfChallenged = [5, 15, 30]

/** A review that took this long is no longer waited for: the Owner decides. */
export const CHALLENGED_ASKED_FOR_MS = 30 * DAY_MS

/** The last inquiry before the expiry. The one at the expiry itself is followed by the expiry. */
export const LAST_BEFORE_EXPIRY_MS = MINUTE_MS

/** Payments that were created together are asked about up to a tenth of the elapsed time apart. */
const JITTER = 0.1

type Scheduled = Pick<Payment, 'id' | 'methodType' | 'expiresAt' | 'expiryMinutes'>

/** After `now`, and never later than the expiry unless that is past: then `now`. */
export function nextInquiryOfPending(payment: Scheduled, now: Date): Date {
  const lastBeforeExpiry = after(payment.expiresAt, -LAST_BEFORE_EXPIRY_MS)
  if (now >= lastBeforeExpiry) return now < payment.expiresAt ? payment.expiresAt : now
  const step = stepAfter(firstInquiries[payment.methodType], payment.id, startOf(payment), now)
  return earlier(step, lastBeforeExpiry)
}

/** Null: no more. A challenged payment never expires by the clock. */
export function nextInquiryOfChallenged(
  { id }: Pick<Payment, 'id'>,
  challengedAt: Date,
  now: Date,
): Date | null {
  const step = stepAfter(inquiriesOfChallenged, id, challengedAt, now)
  return step.getTime() - challengedAt.getTime() > CHALLENGED_ASKED_FOR_MS ? null : step
}

/** The first step after `now` of a payment whose steps are counted from `start`. */
function stepAfter(minutes: readonly number[], id: string, start: Date, now: Date): Date {
  const stretch = 1 + JITTER * fractionOf(id)
  const elapsedMs = (now.getTime() - start.getTime()) / stretch
  const listed = minutes.find(each => each * MINUTE_MS > elapsedMs)
  const intervalMs = elapsedMs < DAY_MS ? HOUR_MS : 6 * HOUR_MS
  const stepMs =
    listed === undefined ? (Math.floor(elapsedMs / intervalMs) + 1) * intervalMs : listed * MINUTE_MS
  // Rounding must not make it the present step once more.
  return new Date(Math.max(Math.ceil(start.getTime() + stepMs * stretch), now.getTime() + 1))
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other)

/** 0 ≤ fraction < 1, always the same for a payment: the end of a UUID of version 7 is random. */
const fractionOf = (id: string): number => Number.parseInt(id.slice(-6), 16) / 0x1000000
