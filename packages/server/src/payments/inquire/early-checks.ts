// Brings the next check of a payment forward while its payer or merchant waits for the outcome. A request only notes
// the payment in memory. Every two seconds one statement writes all noted payments, so no request waits for the
// database or a provider. A payment is polled at most every 45 seconds, however many processes note it. If a merchant
// polls a payment, the payment is checked less often the older it gets.

import { LRUCache } from 'lru-cache'
import type { PaymentKey } from '../payment.sql.ts'
import type { EarlyCheck } from './next-check.sql.ts'

/**
 * The minimum time between two checks of a payment. It must match the interval in the SQL statement of
 * next-check.sql.ts.
 */
const PAUSE_MS = 45_000
const WRITE_EVERY_MS = 2_000
/** A merchant that requests the same payment twice within this time is waiting for its outcome. */
const REPEATED_WITHIN_MS = 15 * 60_000
/**
 * Limits on how many payments are remembered and how many are written at a time, so that a flood of requests uses
 * bounded memory.
 */
const MOST_REMEMBERED = 10_000
const MOST_NOTED = 1_000

export type EarlyChecks = {
  /**
   * Notes that the payer opened a page of the payment or returned from the wallet, so that the payment is polled within
   * seconds instead of at its next scheduled inquiry. The function never blocks and never throws.
   */
  notePayerWaiting(key: PaymentKey): void
  /** Notes that the merchant requested the payment. Only the second and later requests bring the next check forward. */
  noteMerchantRequest(key: PaymentKey): void
  /**
   * Writes the noted payments. If the write fails, the notes are dropped and the payments keep their scheduled checks.
   */
  write(): Promise<void>
  stop(): void
}

export function earlyChecks(
  bringForward: (checks: EarlyCheck[], now: Date) => Promise<unknown>,
  { clock, failed }: { clock: () => Date; failed: (error: unknown) => void },
): EarlyChecks {
  const requestedAt = new LRUCache<string, number>({ max: MOST_REMEMBERED })
  const notedAt = new LRUCache<string, number>({ max: MOST_REMEMBERED })
  let noted = new Map<string, EarlyCheck>()

  function note(check: EarlyCheck): void {
    const nowMs = clock().getTime()
    const last = notedAt.get(check.paymentId)
    if (last !== undefined && Math.abs(nowMs - last) < PAUSE_MS) return
    if (noted.size >= MOST_NOTED) return
    notedAt.set(check.paymentId, nowMs)
    noted.set(check.paymentId, check)
  }

  async function write(): Promise<void> {
    if (noted.size === 0) return
    const checks = [...noted.values()]
    noted = new Map()
    await bringForward(checks, clock()).catch(failed)
  }
  const timer = setInterval(write, WRITE_EVERY_MS).unref()

  return {
    notePayerWaiting: key => note({ ...key, isPolled: false }),
    noteMerchantRequest(key) {
      const nowMs = clock().getTime()
      const last = requestedAt.get(key.paymentId)
      requestedAt.set(key.paymentId, nowMs)
      if (last !== undefined && nowMs - last < REPEATED_WITHIN_MS) note({ ...key, isPolled: true })
    },
    write,
    stop: () => clearInterval(timer),
  }
}
