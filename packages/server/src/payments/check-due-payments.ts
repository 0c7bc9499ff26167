// The sweep over payments whose next check is due: those left over by a crash or a time-out are asked about
// until the provider tells, and pending ones past their time expire after a last look at the provider. One
// partial index serves both; there is no timer for a payment.

import type { App } from '../app.ts'
import { claimDuePayments, postponeCheck } from './payment.sql.ts'
import type { Payment } from './payment.ts'
import { refreshPayment } from './refresh-payment.ts'

/** Checks of a process that may be under way; one that waits for its provider holds up no other. */
const AT_ONCE = 500
/** Who dies while checking leaves the payment to a later sweep: longer than an inquiry can take. */
const CLAIM_MS = 20_000

type Deps = Pick<App, 'db' | 'clock' | 'accountOf' | 'record' | 'log'>

export type DueChecks = {
  /** Begins the checks that are due, as far as there is room. Resolves to whether there may be more. */
  begin(): Promise<boolean>
  /** When those under way have ended. */
  ended(): Promise<unknown>
}

export function duePaymentChecks(app: Deps): DueChecks {
  const underWay = new Set<Promise<void>>()
  return {
    async begin() {
      const room = AT_ONCE - underWay.size
      if (room === 0) return false
      const now = app.clock()
      const due = await claimDuePayments(app.db, now, new Date(now.getTime() + CLAIM_MS), room)
      for (const payment of due) {
        const check = checkPayment(app, payment, now)
          .catch(error => {
            const { tenantId, id: paymentId } = payment
            app.log.error({ err: error, tenantId, paymentId }, 'check of a due payment failed')
          })
          .finally(() => underWay.delete(check))
        underWay.add(check)
      }
      return due.length === room
    },
    ended: () => Promise.all(underWay),
  }
}

async function checkPayment(app: Deps, payment: Payment, now: Date): Promise<void> {
  const refreshed = await refreshPayment(app, payment)
  if (refreshed.status === 'pending' && refreshed.expiresAt <= now) {
    await app.record({
      tenantId: payment.tenantId,
      paymentId: payment.id,
      // One that was challenged meanwhile does not expire by the clock.
      event: current => (current.status === 'pending' ? { type: 'expired' } : undefined),
      cause: 'expiry',
    })
  } else if (refreshed.status === 'charging' || refreshed.status === 'unknown') {
    await postponeCheck(app.db, refreshed, new Date(now.getTime() + pauseMs(refreshed, now)))
  }
}

/** 5 s after the time-out the first, then 15 s, 1 min, 5 min, and each hour: it is never given up on. */
const pauses = [15_000, 60_000, 300_000, 3_600_000]
function pauseMs(payment: Payment, now: Date): number {
  const waited = now.getTime() - payment.updatedAt.getTime()
  return pauses.find(each => each > waited) ?? 3_600_000
}
