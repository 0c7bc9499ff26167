// Brings the next check of a payment forward whose payer or merchant waits for the outcome. Requests only note it: the
// payments noted by a process are written every two seconds with one statement, so that no request waits for it, and no
// provider is asked within a request. A payment is asked about at most every 45 seconds, however many processes note it;
// a payment that its merchant polls is asked about less often the older it is.

import { LRUCache } from 'lru-cache'
import type { EarlyCheck } from './check.sql.ts'
import type { PaymentKey } from './payment.sql.ts'

/** As the statement has it (check.sql.ts). */
const PAUSE_MS = 45_000
const WRITE_EVERY_MS = 2_000
/** A second request within this time means that the merchant waits. */
const REPEATED_WITHIN_MS = 15 * 60_000
/** Payments remembered, and payments written at once: a flood of requests costs no more than this. */
const MOST_REMEMBERED = 10_000
const MOST_NOTED = 1_000

export type EarlyChecks = {
  /** The payer waits for this payment now. */
  notePayer(key: PaymentKey): void
  /** The merchant requested the payment; counts from the second request on. */
  noteRequest(key: PaymentKey): void
  /** Writes what was noted. What could not be written is dropped: the payment keeps its scheduled check. */
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
    notePayer: key => note({ ...key, isPolled: false }),
    noteRequest(key) {
      const nowMs = clock().getTime()
      const last = requestedAt.get(key.paymentId)
      requestedAt.set(key.paymentId, nowMs)
      if (last !== undefined && nowMs - last < REPEATED_WITHIN_MS) note({ ...key, isPolled: true })
    },
    write,
    stop: () => clearInterval(timer),
  }
}
