// Brings a payment's next status inquiry forward while its payer or merchant waits for the outcome. A request only adds
// the payment to a list in memory. Every two seconds, one statement writes the list to the database.
//
// Each payment gets at most one inquiry per 45 seconds, even if several processes have the payment in their
// lists. The older a payment is, the less often a merchant's requests trigger an inquiry.

import { boundedCache } from '../../values/bounded-cache.ts'
import type { PaymentKey } from '../payment.sql.ts'
import type { EarlyCheck } from './next-check.sql.ts'

/**
 * The minimum time between two inquiries about a payment. It must match the 45-second interval in the SQL statement
 * `bringForward` in next-check.sql.ts.
 */
const PAUSE_MS = 45_000
const WRITE_EVERY_MS = 2_000
/**
 * If a merchant requests a payment twice within this time, the service assumes that the merchant is waiting for the
 * outcome. It then sends the next status inquiry earlier.
 */
const REPEATED_WITHIN_MS = 15 * 60_000
/**
 * Limits on the number of payments in memory and on the size of one write. Because of these limits, a flood
 * of requests uses a limited amount of memory.
 */
const MOST_REMEMBERED = 10_000
const MOST_NOTED = 1_000

export type EarlyChecks = {
  /**
   * Requests an early inquiry because the payer opened the payment's page or returned from the e-wallet. Never
   * blocks and never throws.
   */
  notePayerWaiting(key: PaymentKey): void
  /**
   * Records that the merchant requested the payment. From the second request within 15 minutes on, the payment's next
   * status inquiry is sent earlier than scheduled.
   */
  noteMerchantRequest(key: PaymentKey): void
  /**
   * Writes the noted payments to the database, so that their status inquiries are sent earlier. If the write fails,
   * the payments keep their scheduled inquiries.
   */
  write(): Promise<void>
  stop(): void
}

export function earlyChecks(
  bringForward: (checks: EarlyCheck[], now: Date) => Promise<unknown>,
  { clock, failed }: { clock: () => Date; failed: (error: unknown) => void },
): EarlyChecks {
  const requestedAt = boundedCache<number>(MOST_REMEMBERED)
  const notedAt = boundedCache<number>(MOST_REMEMBERED)
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
