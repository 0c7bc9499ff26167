// Counts the payments that ended as paid and those that ended as unpaid, for each provider account and hour. A job
// adds the counts to the database (jobs/outcome-counts.ts). If the process crashes, the counts of the last minute are
// lost. This is acceptable, because the counts only show whether the success rate is falling.

import type { Payment } from '../payment.ts'

const HOUR_MS = 3_600_000

export type OutcomeCount = { accountId: string; hour: Date; paid: number; unpaid: number }

let counts = new Map<string, OutcomeCount>()

/**
 * Adds a payment that has just reached a final status to the account's hourly counts of paid and unpaid
 * payments. A cancelled payment is not counted, because the merchant ended it, not the provider or the payer.
 */
export function countIfEnded(
  { status, providerAccountId: accountId }: Pick<Payment, 'status' | 'providerAccountId'>,
  at: Date,
): void {
  if (status !== 'paid' && status !== 'failed' && status !== 'expired') return
  const hour = new Date(Math.floor(at.getTime() / HOUR_MS) * HOUR_MS)
  addOutcomes([{ accountId, hour, paid: status === 'paid' ? 1 : 0, unpaid: status === 'paid' ? 0 : 1 }])
}

/**
 * Adds `more` to the current counts of ended payments. `more` can also contain counts that `takeOutcomes` returned but
 * that could not be stored.
 */
export function addOutcomes(more: readonly OutcomeCount[]): void {
  for (const { accountId, hour, paid, unpaid } of more) {
    const key = `${accountId} ${hour.getTime()}`
    const known = counts.get(key)
    counts.set(key, {
      ...{ accountId, hour },
      paid: (known?.paid ?? 0) + paid,
      unpaid: (known?.unpaid ?? 0) + unpaid,
    })
  }
}

/**
 * Returns how many paid and unpaid payments have ended since the last call, by provider account and hour, and
 * starts counting from zero again.
 */
export function takeOutcomes(): OutcomeCount[] {
  const taken = [...counts.values()]
  counts = new Map()
  return taken
}
