// Limits the status inquiries that repeated create requests cause while a charge's outcome is unknown. During an
// outage, every merchant repeats its requests every few seconds. Without a limit, these inquiries could use up the
// provider's rate limit, which scheduled inquiries need too. A request whose inquiry is not sent gets the payment's
// last known state and can be repeated.

import { accountSlots } from '../../provider-accounts/account-slots.ts'
import type { InquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import { inquireAndRecordResult } from '../inquire/inquire-and-record.ts'
import type { Payment } from '../payment.ts'

/** The minimum time between the starts of two inquiries about the same charge. */
export const REPEAT_INQUIRY_INTERVAL_MS = 5_000
/**
 * The maximum number of inquiries in flight that repeated requests have started. The maximum is half of the
 * connections for inquiries to a host (providers/http-client.ts), so scheduled inquiries can always use the
 * other half.
 */
const MAX_IN_FLIGHT = 128

type Deps = Parameters<typeof inquireAndRecordResult>[0] & { inquiryLimits: InquiryLimits }
type Refreshed = Awaited<ReturnType<typeof inquireAndRecordResult>>
type Inquiry = {
  startedAtMs: number
  inFlight: Promise<void> | undefined
  /** The payment after the provider's response was recorded. Undefined until then, and if there was no response. */
  recorded: Payment | undefined
}

export type RepeatInquiries = {
  /**
   * Sends a status inquiry and returns the updated payment. If an inquiry about the same charge is already in flight,
   * waits for that inquiry instead. If no inquiry may be sent now, returns the payment in the latest state that this
   * request or the last inquiry has read.
   */
  refresh(app: Deps, payment: Payment): Promise<Payment>
}

export function repeatInquiries(): RepeatInquiries {
  /** The inquiries in flight or started in the last few seconds, with the oldest first. */
  const inquiries = new Map<string, Inquiry>()
  const slots = accountSlots(MAX_IN_FLIGHT)

  /** Sends the inquiry. Returns undefined without sending it if a limit of the provider account is reached. */
  async function send(app: Deps, payment: Payment): Promise<Refreshed | undefined> {
    const { providerAccountId: accountId } = payment
    const limits = app.inquiryLimits
    if (limits.pausedUntil(accountId) || !slots.take(accountId)) return undefined
    let isAnswered: boolean | undefined
    try {
      const { account, provider } = (await app.accountOf(accountId)) ?? {}
      if (account && !limits.take(account, provider?.inquiryLimits, 'repeats')) return undefined
      const refreshed = await inquireAndRecordResult(app, payment, ms => limits.pause(accountId, ms))
      isAnswered = refreshed.isAnswered
      return refreshed
    } finally {
      slots.release(accountId, isAnswered)
    }
  }

  function start(app: Deps, payment: Payment, key: string): Inquiry {
    const inquiry: Inquiry = {
      startedAtMs: app.clock().getTime(),
      inFlight: undefined,
      recorded: undefined,
    }
    inquiries.delete(key)
    inquiries.set(key, inquiry)
    inquiry.inFlight = send(app, payment)
      .then(refreshed => {
        // No status inquiry was sent, so the next create request with the same idempotency key may send one.
        if (!refreshed) inquiries.delete(key)
        else if (refreshed.isAnswered) inquiry.recorded = refreshed.payment
      })
      .finally(() => {
        inquiry.inFlight = undefined
      })
    return inquiry
  }

  function forgetOld(nowMs: number): void {
    for (const [key, inquiry] of inquiries) {
      if (isRecent(inquiry, nowMs)) return
      if (!inquiry.inFlight) inquiries.delete(key)
    }
  }

  return {
    async refresh(app, payment) {
      // Each charge attempt is a separate order at the provider, so an inquiry about one attempt does not show the
      // outcome of another attempt.
      const key = `${payment.id} ${payment.attempt}`
      const nowMs = app.clock().getTime()
      forgetOld(nowMs)
      const last = inquiries.get(key)
      const inquiry = last && (last.inFlight || isRecent(last, nowMs)) ? last : start(app, payment, key)
      await inquiry.inFlight
      // Another request may have started the inquiry, with an older or a newer state of the payment.
      return latest(payment, inquiry.recorded)
    },
  }
}

const latest = (read: Payment, recorded: Payment | undefined): Payment =>
  recorded && recorded.transitionCount >= read.transitionCount ? recorded : read

/**
 * Returns whether the inquiry started less than one inquiry interval ago. If the clock was set back, the
 * start time can be in the future. Such an inquiry does not count, because it would block new inquiries for
 * too long.
 */
const isRecent = ({ startedAtMs }: Inquiry, nowMs: number): boolean =>
  nowMs >= startedAtMs && nowMs - startedAtMs < REPEAT_INQUIRY_INTERVAL_MS
