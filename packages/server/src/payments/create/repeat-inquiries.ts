// Limits the status inquiries that repeated create requests cause while a charge's outcome is unknown. During an
// outage, every merchant repeats its requests every few seconds, and the scheduled inquiries need the provider's rate
// limit, too. A request whose inquiry is not sent gets the payment's last known state and can be repeated.

import { accountSlots } from '../../provider-accounts/account-slots.ts'
import type { InquiryLimits } from '../../provider-accounts/inquiry-limits.ts'
import { inquireAndRecordResult } from '../inquire/inquire-and-record.ts'
import type { Payment } from '../payment.ts'

/** The minimum time between the starts of two inquiries about the same charge. */
export const REPEAT_INQUIRY_INTERVAL_MS = 5_000
/**
 * The maximum number of these inquiries in flight. It is half of a host's connections for inquiries
 * (providers/http-client.ts), so scheduled inquiries always get a connection.
 */
const MAX_IN_FLIGHT = 128

type Deps = Parameters<typeof inquireAndRecordResult>[0] & { inquiryLimits: InquiryLimits }
type Refreshed = Awaited<ReturnType<typeof inquireAndRecordResult>>
type Inquiry = { startedAtMs: number; inFlight: Promise<Refreshed | undefined> | undefined }

export type RepeatInquiries = {
  /**
   * Sends a status inquiry, or waits for one about the same charge that is in flight, and returns the updated payment.
   * Returns the payment unchanged if no inquiry may be sent now.
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

  function start(app: Deps, payment: Payment, key: string): Promise<Refreshed | undefined> {
    const inquiry: Inquiry = { startedAtMs: app.clock().getTime(), inFlight: undefined }
    inquiries.delete(key)
    inquiries.set(key, inquiry)
    inquiry.inFlight = send(app, payment)
      .then(refreshed => {
        // No inquiry was sent, so the next repeated request may send one.
        if (!refreshed) inquiries.delete(key)
        return refreshed
      })
      .finally(() => {
        inquiry.inFlight = undefined
      })
    return inquiry.inFlight
  }

  function forgetOld(nowMs: number): void {
    for (const [key, inquiry] of inquiries) {
      if (isRecent(inquiry, nowMs)) return
      if (!inquiry.inFlight) inquiries.delete(key)
    }
  }

  return {
    async refresh(app, payment) {
      // Each charge attempt is a separate order at the provider, so an inquiry about one does not cover another.
      const key = `${payment.id} ${payment.attempt}`
      const nowMs = app.clock().getTime()
      forgetOld(nowMs)
      const last = inquiries.get(key)
      if (last && !last.inFlight && isRecent(last, nowMs)) return payment
      const refreshed = await (last?.inFlight ?? start(app, payment, key))
      // Without a response, the payment this request read is at least as recent as the one that was inquired about.
      return refreshed?.isAnswered ? refreshed.payment : payment
    },
  }
}

/** Returns false if the clock was set back, so that no inquiry is blocked for longer than the interval. */
const isRecent = ({ startedAtMs }: Inquiry, nowMs: number): boolean =>
  nowMs >= startedAtMs && nowMs - startedAtMs < REPEAT_INQUIRY_INTERVAL_MS
