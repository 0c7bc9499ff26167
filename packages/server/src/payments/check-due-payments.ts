// The sweep over payments whose next check is due: those left over by a crash or a time-out are asked about
// until the provider tells or three days are over; pending ones a minute before their time is over, when it is
// over (then they expire), and a last time after it. One partial index serves all; there is no timer for a payment.

import type { App } from '../app.ts'
import { withLogFields } from '../log.ts'
import { placesFor } from '../provider-accounts/places.ts'
import { after } from '../time.ts'
import { inSpan, paymentSpan } from '../tracing/span.ts'
import { claimDuePayments, postponeCheck } from './payment.sql.ts'
import { hasMoved, type Payment } from './payment.ts'
import { ABSENCE_HOLDS_AFTER_MS, refresh } from './refresh-payment.ts'
import { UNCONFIRMED_CHECK_MS } from './transitions.ts'

/** Checks of a process that may be under way; those that wait for a provider hold up no other's. */
const AT_ONCE = 500
/**
 * Who dies while checking leaves the payment to a later sweep: longer than an inquiry can take, which is three
 * requests of 10 s where an order has to be looked up before it can be asked about (Xendit).
 */
const CLAIM_MS = 40_000

type Deps = Pick<App, 'db' | 'clock' | 'accountOf' | 'health' | 'record' | 'log' | 'publicUrl'>

export type DueChecks = {
  /** Begins the checks that are due, as far as there is room. Resolves to whether there may be more. */
  begin(): Promise<boolean>
  /** When those under way have ended. */
  ended(): Promise<unknown>
}

export function duePaymentChecks(app: Deps): DueChecks {
  const underWay = new Set<Promise<void>>()
  const places = placesFor(AT_ONCE)

  async function check(payment: Payment, now: Date): Promise<void> {
    const { id: paymentId, providerAccountId } = payment
    // Silent accounts that were claimed for together: it is due again when its claim lapses.
    if (!places.take(providerAccountId)) return
    let isAnswered = true
    try {
      isAnswered = await inSpan('check payment', { parent: paymentSpan(paymentId) }, () =>
        checkPayment(app, payment, now),
      )
    } catch (error) {
      app.log.error({ err: error }, 'check of a due payment failed')
    } finally {
      places.free(providerAccountId, isAnswered)
    }
  }

  return {
    async begin() {
      const room = places.room()
      if (room === 0) return false
      const now = app.clock()
      const { roomOfEach } = places
      const due = await claimDuePayments(app.db, now, after(now, CLAIM_MS), {
        room,
        rooms: places.rooms(),
        roomOfEach,
      })
      for (const payment of due) {
        const { tenantId, id: paymentId, paymentCode } = payment
        const checking = withLogFields({ job: 'check_payment', tenantId, paymentId, paymentCode }, () =>
          check(payment, now),
        ).finally(() => underWay.delete(checking))
        underWay.add(checking)
      }
      return due.length === room
    },
    ended: () => Promise.all(underWay),
  }
}

/** Whether the provider answered. */
async function checkPayment(app: Deps, payment: Payment, now: Date): Promise<boolean> {
  const refreshed = await refresh(app, payment)
  await follow(app, payment, refreshed, now)
  return refreshed.isAnswered
}

/** What follows of how a payment stands now that its provider was asked. */
async function follow(
  app: Deps,
  payment: Payment,
  { payment: refreshed, isAnswered }: Awaited<ReturnType<typeof refresh>>,
  now: Date,
): Promise<void> {
  const { tenantId, id: paymentId } = payment
  switch (refreshed.status) {
    case 'pending':
      if (refreshed.expiresAt > now) return postponeCheck(app.db, refreshed, refreshed.expiresAt)
      await app.record({
        tenantId,
        paymentId,
        // One that was challenged meanwhile does not expire by the clock.
        event: current => (current.status === 'pending' ? { type: 'expired' } : undefined),
        cause: 'expiry',
      })
      return
    case 'charging': {
      // What the provider would say of it does not hold yet.
      const holdsFrom = after(refreshed.updatedAt, ABSENCE_HOLDS_AFTER_MS)
      if (now < holdsFrom) return postponeCheck(app.db, refreshed, holdsFrom)
      // Whoever was charging died, and the provider does not say: that is an unknown outcome like any other.
      const reason = 'the charge was interrupted'
      const nextCheckAt = after(now, inquiredAfterMs[0])
      await app.record({
        tenantId,
        paymentId,
        event: current =>
          hasMoved(refreshed, current) ? undefined : { type: 'outcome_unknown', reason, nextCheckAt },
        cause: 'inquiry',
      })
      return
    }
    case 'paid':
      // Credited by the Owner, and still not confirmed by the provider.
      if (refreshed.unconfirmedSince !== null)
        await postponeCheck(app.db, refreshed, nextConfirmationAt(refreshed.unconfirmedSince, now))
      return
    case 'unknown':
      return postponeCheck(app.db, refreshed, nextInquiryAt(refreshed, now))
    case 'expired':
    case 'cancelled':
    case 'failed':
      // The look after the end has been had, once the provider answers it: until then its money may be lost to us.
      if (!hasMoved(payment, refreshed))
        await postponeCheck(app.db, refreshed, isAnswered ? null : nextLookAt(refreshed, now))
  }
}

/** Since nobody knew: the first inquiry is after 5 s (charge-payment.ts), these follow, then one each hour. */
const inquiredAfterMs = [15_000, 60_000, 300_000] as const
const HOURLY_MS = 3_600_000
/** A provider that has not told by then never will: a person has to find out. The payment is not failed by it. */
const ASKED_FOR_MS = 72 * HOURLY_MS

/** Null: the operator's queue. */
function nextInquiryAt(payment: Payment, now: Date): Date | null {
  const waitedMs = now.getTime() - payment.updatedAt.getTime()
  const nextHourMs = (Math.floor(waitedMs / HOURLY_MS) + 1) * HOURLY_MS
  const afterMs = inquiredAfterMs.find(each => each > waitedMs) ?? nextHourMs
  return afterMs > ASKED_FOR_MS ? null : after(payment.updatedAt, afterMs)
}

/** Null: the provider has not confirmed it for so long that only its callback, or the Owner, can. */
const nextConfirmationAt = (since: Date, now: Date): Date | null =>
  now.getTime() - since.getTime() >= ASKED_FOR_MS ? null : after(now, UNCONFIRMED_CHECK_MS)

/** Null: the provider was away for so long that nobody waits for its word any more. */
function nextLookAt(payment: Payment, now: Date): Date | null {
  const overForMs = now.getTime() - payment.expiresAt.getTime()
  return overForMs >= ASKED_FOR_MS ? null : after(now, HOURLY_MS)
}
