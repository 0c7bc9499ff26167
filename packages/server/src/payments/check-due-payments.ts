// The sweep over payments whose next check is due: those left over by a crash or a time-out are asked about
// until the provider tells, and pending ones past their time expire after a last look at the provider. One
// partial index serves both; there is no timer for a payment.

import type { App } from '../app.ts'
import { claimDuePayments, postponeCheck } from './payment.sql.ts'
import type { Payment } from './payment.ts'
import { refreshPayment } from './refresh-payment.ts'

/** Inquiries of one sweep that run side by side. */
const BATCH = 50
/** Who dies while checking leaves the payment to a later sweep: longer than an inquiry can take. */
const CLAIM_MS = 20_000

type Deps = Pick<App, 'db' | 'clock' | 'accountOf' | 'record' | 'log'>

/** Returns how many were due; BATCH means that there may be more. */
export async function checkDuePayments(app: Deps): Promise<number> {
  const now = app.clock()
  const due = await claimDuePayments(app.db, now, new Date(now.getTime() + CLAIM_MS), BATCH)
  await Promise.all(
    due.map(payment =>
      checkPayment(app, payment, now).catch(error => {
        app.log.error(
          { err: error, tenantId: payment.tenantId, paymentId: payment.id },
          'check of a due payment failed',
        )
      }),
    ),
  )
  return due.length
}

export const isFullBatch = (checked: number): boolean => checked === BATCH

async function checkPayment(app: Deps, payment: Payment, now: Date): Promise<void> {
  const refreshed = await refreshPayment(app, payment)
  if (refreshed.status === 'pending' && refreshed.expiresAt <= now) {
    await app.record({
      tenantId: payment.tenantId,
      paymentId: payment.id,
      event: { type: 'expired' },
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
