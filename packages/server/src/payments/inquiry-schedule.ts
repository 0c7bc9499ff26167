// The schedule of status inquiries for open payments (pending or challenged). The inquiries find paid payments whose
// callback was lost. Inquiries are frequent at first, because most payers pay early. For other statuses, the provider's
// last response determines the next inquiry (inquire/sweep-due-payments.ts).

import { after } from '../values/time.ts'
import type { MethodType } from './method.ts'
import { attemptStartedAt, type Payment } from './payment.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/**
 * The minutes after the charge at which inquiries about a pending payment are sent. After the last of these,
 * inquiries are hourly for a day, then every six hours.
 */
const firstInquiries: Record<MethodType, readonly number[]> = {
  // Inquiries about e-wallet payments are sent early, because payers usually pay right away on their phones.
  e_wallet: [1, 2, 4, 8, 15, 30],
  qris: [1, 2, 4, 8, 15, 30],
  virtual_account: [2, 5, 10, 20, 40],
  over_the_counter: [2, 5, 10, 20, 40],
}
const inquiriesOfChallenged = [5, 15, 30]

/**
 * The time after which inquiries about a challenged payment (in fraud review, or partly paid) stop. The payment
 * then stays challenged until the operator decides whether it was paid.
 */
export const CHALLENGED_POLLED_FOR_MS = 30 * DAY_MS

/**
 * A pending payment gets an inquiry this long before its expiry, and one more at the expiry time, before the
 * payment expires.
 */
export const LAST_BEFORE_EXPIRY_MS = MINUTE_MS

/**
 * Each payment's inquiries are delayed by up to a tenth of the elapsed time. Inquiries about payments that
 * were created together are thus spread out.
 */
const JITTER = 0.1
/**
 * A margin for rounding errors in a computed inquiry time. Without it, two inquiries could be sent for one scheduled
 * time.
 */
const ROUNDING_MS = 0.001

type Scheduled = Pick<Payment, 'id' | 'methodType' | 'expiresAt' | 'expiryMinutes'>

/**
 * Returns the time of the next inquiry, which is after `now` but no later than the payment's expiry. After
 * the expiry, returns `now`.
 */
export function nextInquiryOfPending(payment: Scheduled, now: Date): Date {
  const lastBeforeExpiry = after(payment.expiresAt, -LAST_BEFORE_EXPIRY_MS)
  if (now >= lastBeforeExpiry) return now < payment.expiresAt ? payment.expiresAt : now
  const step = stepAfter(firstInquiries[payment.methodType], payment.id, attemptStartedAt(payment), now)
  return earlier(step, lastBeforeExpiry)
}

/**
 * Returns the time of the next inquiry about a challenged payment, or null when inquiries stop. A challenged payment
 * (in fraud review, or partly paid) never expires automatically.
 */
export function nextInquiryOfChallenged(
  { id }: Pick<Payment, 'id'>,
  challengedAt: Date,
  now: Date,
): Date | null {
  const step = stepAfter(inquiriesOfChallenged, id, challengedAt, now)
  return step.getTime() - challengedAt.getTime() > CHALLENGED_POLLED_FOR_MS ? null : step
}

/**
 * Returns the first scheduled time after `now`. `minutes` contains the scheduled times in minutes after
 * `start`.
 */
function stepAfter(minutes: readonly number[], id: string, start: Date, now: Date): Date {
  const stretch = 1 + JITTER * fractionOf(id)
  const elapsedMs = (now.getTime() - start.getTime() + ROUNDING_MS) / stretch
  const listed = minutes.find(each => each * MINUTE_MS > elapsedMs)
  const intervalMs = elapsedMs < DAY_MS ? HOUR_MS : 6 * HOUR_MS
  const stepMs =
    listed === undefined ? (Math.floor(elapsedMs / intervalMs) + 1) * intervalMs : listed * MINUTE_MS
  return new Date(Math.ceil(start.getTime() + stepMs * stretch))
}

const earlier = (one: Date, other: Date): Date => (one < other ? one : other)

/**
 * Returns a fraction in [0, 1) that is constant for a payment. It is computed from the last digits of the payment's
 * UUIDv7, which are random.
 */
const fractionOf = (id: string): number => Number.parseInt(id.slice(-6), 16) / 0x1000000
