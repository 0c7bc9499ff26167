// Limits the status inquiries that callbacks cause. A callback needs an inquiry if it proves nothing by itself, for
// example because its status is not signed. An attacker could replay such a callback thousands of times. Each process
// therefore sends only one inquiry per payment at a time, with growing pauses. All callbacks received before an inquiry
// starts share the inquiry's result.

import type { Logger } from '../logging/log.ts'
import { type OnRateLimit, sendInquiry } from '../payments/inquire/send-inquiry.ts'
import { asOfAttempt, hasTransitioned, type Payment } from '../payments/payment.ts'
import type { AccountSlots } from '../provider-accounts/account-slots.ts'
import type { InquiryLimits } from '../provider-accounts/inquiry-limits.ts'
import type { LoadAccount, LoadedAccount } from '../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import type { MoneyReturn } from '../providers/provider.ts'
import type { Clock } from '../values/time.ts'
import type { InquiryResponse, NeededInquiry } from './callback-message.ts'
import { mayBeOutdated } from './outdated-result.ts'

type Deps = { accountOf: LoadAccount; clock: Clock; health: ProviderHealth; log: Logger }
type Result = InquiryResponse | 'no answer'

/** The pause after the first status inquiry about a payment. The pause doubles after each further inquiry. */
const FIRST_PAUSE_MS = 2_000
const LONGEST_PAUSE_MS = 5 * 60_000
/**
 * If no status inquiry about a payment is sent for this long, the pauses between inquiries start at
 * FIRST_PAUSE_MS again.
 */
const FORGOTTEN_AFTER_MS = 10 * 60_000
/**
 * The maximum number of cached status inquiries, one for each order at a provider. The oldest entry is dropped first.
 */
const MAX_REMEMBERED = 10_000
/** How far this process's clock may differ from the clock of the process that received the callback. */
const CLOCK_SKEW_MS = 2_000
/**
 * The delay before a postponed status inquiry is tried again. An inquiry is postponed in these cases:
 * - Another inquiry about the payment is in flight.
 * - The provider account has no free slot.
 * - The account's rate limit is used up.
 */
const RETRY_LATER_MS = 2_000

type Inquiry = {
  startedAtMs: number
  pauseMs: number
  inquired: Payment
  /** The refunds and chargebacks whose status the inquiry asks for, in addition to the payment's status. */
  returns: MoneyReturn[]
  /** The provider's response, or undefined while the status inquiry is in flight. */
  result?: Result
}

export type CallbackInquiries = {
  /**
   * Returns whether the callback can use an earlier inquiry's result instead of sending the inquiry `neededInquiry`.
   */
  isAnswered(neededInquiry: NeededInquiry): boolean
  /** Returns how many milliseconds to wait before sending the status inquiry, or 0 if it may be sent now. */
  waitMs(neededInquiry: NeededInquiry): number
  /**
   * Returns an earlier status inquiry's result if it can be used for this callback. Otherwise sends an inquiry to
   * the provider and returns its result.
   */
  inquire(neededInquiry: NeededInquiry, onRateLimit: OnRateLimit): Promise<Result>
}

export function callbackInquiries(app: Deps): CallbackInquiries {
  const inquiries = new Map<string, Inquiry>()

  function sharedResult(neededInquiry: NeededInquiry): Result | undefined {
    const last = inquiries.get(keyOf(neededInquiry))
    if (!last?.result || pauseLeft(last) === 0) return undefined
    if (last.result === 'no answer') return 'no answer'
    const receivedAtMs = neededInquiry.message.callback.receivedAt.getTime()
    if (!coversReturns(last, neededInquiry)) return undefined
    const isOlder = receivedAtMs + CLOCK_SKEW_MS <= last.startedAtMs
    // If the inquiry was sent too soon after the callback, its result may be outdated. The result stays unused even
    // when the callback is old enough for a new inquiry.
    const isOutdated =
      mayBeOutdated(neededInquiry, last.result.result, new Date(last.startedAtMs)) &&
      !mayBeOutdated(neededInquiry, last.result.result, app.clock())
    if (isOutdated) return undefined
    const isSame = last.inquired.providerPaymentId === inquiredPayment(neededInquiry).providerPaymentId
    // If the payment has changed since the inquiry, the inquiry's result is outdated and is not used. For
    // example, an old failure could reverse a newer credit.
    return isOlder && isSame && !hasTransitioned(last.inquired, neededInquiry.payment)
      ? last.result
      : undefined
  }

  function pauseLeft({ startedAtMs, pauseMs }: Inquiry): number {
    return Math.max(0, startedAtMs + pauseMs - app.clock().getTime())
  }

  function start(neededInquiry: NeededInquiry): Inquiry {
    const key = keyOf(neededInquiry)
    const startedAtMs = app.clock().getTime()
    const last = inquiries.get(key)
    const isRecent = last !== undefined && startedAtMs - last.startedAtMs < FORGOTTEN_AFTER_MS
    const pauseMs = isRecent ? Math.min(last.pauseMs * 2, LONGEST_PAUSE_MS) : FIRST_PAUSE_MS
    const { returns = [] } = neededInquiry.update
    const inquiry: Inquiry = { startedAtMs, pauseMs, inquired: inquiredPayment(neededInquiry), returns }
    inquiries.delete(key)
    inquiries.set(key, inquiry)
    const [oldest] = inquiries.keys()
    if (inquiries.size > MAX_REMEMBERED && oldest !== undefined) inquiries.delete(oldest)
    return inquiry
  }

  return {
    isAnswered: neededInquiry => sharedResult(neededInquiry) !== undefined,
    waitMs(neededInquiry) {
      const last = inquiries.get(keyOf(neededInquiry))
      if (!last) return 0
      return last.result === undefined ? RETRY_LATER_MS : pauseLeft(last)
    },
    async inquire(neededInquiry, onRateLimit) {
      const shared = sharedResult(neededInquiry)
      if (shared) return shared
      const inquiry = start(neededInquiry)
      inquiry.result = await inquireForCallback(app, neededInquiry, onRateLimit).catch(error => {
        inquiry.result = 'no answer'
        throw error
      })
      return inquiry.result
    },
  }
}

/**
 * Returns an order's cache key. The key contains the order reference, because each charge attempt for a payment is
 * a separate order at the provider.
 */
const keyOf = ({ payment, update }: NeededInquiry): string => `${payment.id} ${update.reference}`

/**
 * Returns whether the inquiry also covered all refunds and chargebacks in this callback. An inquiry about one refund
 * lists all of the payment's refunds, but each chargeback is looked up by its own ID.
 */
const coversReturns = (inquiry: Inquiry, { update: { returns = [] } }: NeededInquiry): boolean =>
  returns.every(each =>
    inquiry.returns.some(({ kind, id }) => kind === each.kind && (kind === 'refund' || id === each.id)),
  )

const inquiredPayment = ({ message, update, payment }: NeededInquiry): Payment =>
  asOfAttempt(payment, {
    reference: update.reference,
    providerAccountId: message.callback.providerAccountId,
    providerPaymentId: update.providerPaymentId,
  })

export async function inquireForCallback(
  app: Deps,
  neededInquiry: NeededInquiry,
  onRateLimit?: OnRateLimit,
): Promise<Result> {
  const inquired = inquiredPayment(neededInquiry)
  const result = await sendInquiry(app, inquired, onRateLimit, neededInquiry.update.returns)
  return result === 'no answer' ? result : { result, inquired }
}

/**
 * Reserves one of the provider account's status inquiry slots, and counts the inquiry toward the account's rate
 * limit. Returns 0 on success; the caller must then free the slot. Otherwise, returns how many milliseconds to
 * wait.
 */
export function reserveInquiry(
  { account, provider }: LoadedAccount,
  { places, limits, now }: { places: AccountSlots; limits: InquiryLimits; now: Date },
): number {
  const pausedUntil = limits.pausedUntil(account.id)
  if (pausedUntil) return pausedUntil.getTime() - now.getTime()
  if (!places.take(account.id)) return RETRY_LATER_MS
  if (limits.take(account, provider.inquiryLimits, 'callbacks')) return 0
  places.release(account.id, undefined)
  return RETRY_LATER_MS
}
