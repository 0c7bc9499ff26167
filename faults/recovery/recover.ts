// Waits for the recovery after a round's faults. All due work must complete without intervention, with steady
// progress. Then moves the clock forward, so that later work becomes due: status inquiries, the expiry with its
// inquiry, and webhook retries.

import { setTimeout as pause } from 'node:timers/promises'
import { countPendingEvents, readWaiting, type Waiting } from '../checker/read.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { EXPIRY_MINUTES } from '../cluster/merchants.ts'
import type { Shop } from '../load/shop.ts'
import { patience } from './patience.ts'

export type Stuck = { rule: string; detail: string }

/**
 * All work counts as done if none has been due for this long. A single check is not enough: a payment is not due
 * while its status inquiry is in flight.
 */
const QUIET_FOR_MS = 1_300
const LOOK_EVERY_MS = 100

type Options = { stuckAfterMs: number; progress: (line: string) => void }

/**
 * The number of minutes by which each move advances the clock. The moves make every scheduled status inquiry due:
 * - For a charge with an unknown outcome, inquiries are due after 1 and 5 minutes.
 * - For other payments, inquiries are due before the expiry, at the expiry and 5 minutes later.
 * - If the provider does not respond, further inquiries are due every hour.
 */
const MINUTES = [1, 6, EXPIRY_MINUTES - 8, 3, 6, 61, 61]
/**
 * The clock moves, by index in `MINUTES`, after which the simulated shop resends unanswered create requests. Before
 * the first resend, the service has sent status inquiries about these payments. Before the second, it has repeated
 * inquiries that timed out.
 */
const REPEATED_AFTER = [1, 4]
/**
 * The shop stops retrying if no create request gets a response for this long, which exceeds the time of any
 * request. Otherwise, the shop might retry forever, because a request never gets a response if its provider
 * cannot report the outcome.
 */
const UNANSWERED_FOR_MS = 25_000

export async function recover(
  cluster: Cluster,
  shop: Shop,
  selling: Promise<void>,
  options: Options,
): Promise<{ recoveredMs: number; stuck: Stuck[] }> {
  const { progress } = options
  const stuck: Stuck[] = []
  const startedAt = performance.now()
  const settle = async (when: string) => {
    const waiting = await untilQuiet(cluster, options)
    if (waiting) stuck.push({ rule: 'all due work is done', detail: `${when}: ${waiting}` })
  }
  await settle('after the faults')
  const recoveredMs = Math.round(performance.now() - startedAt - QUIET_FOR_MS)
  progress(`no work is due after ${(recoveredMs / 1_000).toFixed(1)} s`)

  // Waits until the simulated shops have stopped. Their last requests may be waiting for responses that never
  // arrive.
  await selling
  for (const [n, minutes] of MINUTES.entries()) {
    // If due work is stuck, the clock is not moved again, because the next wait would find the same work.
    if (stuck.length > 0) break
    cluster.moveClock(minutes * 60_000)
    await settle(`after another ${minutes} minutes`)
    progress(`no work is due ${minutes} minutes later`)
    if (REPEATED_AFTER.includes(n)) await shop.repeatOpen(UNANSWERED_FOR_MS)
  }
  await untilNoEventIsPending(cluster, options, stuck)
  return { recoveredMs, stuck }
}

/**
 * Waits until no work is due, then returns undefined. If the initially due work makes no progress for stuckAfterMs,
 * returns a description of it.
 */
async function untilQuiet(cluster: Cluster, { stuckAfterMs }: Options): Promise<string | undefined> {
  const url = cluster.postgres.adminUrl()
  const moment = () => ({ real: new Date(), moved: new Date(Date.now() + cluster.aheadMs()) })
  const begun = moment()
  const isStuck = patience(stuckAfterMs)
  let quietSince: number | undefined
  for (;;) {
    if (sumOf(await readWaiting(url, moment())) > 0) quietSince = undefined
    else quietSince ??= performance.now()
    if (quietSince !== undefined && performance.now() - quietSince >= QUIET_FOR_MS) return undefined
    const waiting = await readWaiting(url, begun)
    if (isStuck(sumOf(waiting))) return sumOf(waiting) === 0 ? undefined : JSON.stringify(waiting)
    await pause(LOOK_EVERY_MS)
  }
}

const sumOf = (waiting: Waiting): number => Object.values(waiting).reduce((sum, count) => sum + count, 0)

/**
 * Moves the clock until no webhook event is pending. Delivery attempts are 10 s apart, so moving the clock
 * replaces waiting.
 */
export async function untilNoEventIsPending(
  cluster: Cluster,
  { stuckAfterMs }: Pick<Options, 'stuckAfterMs'>,
  stuck: Stuck[],
): Promise<void> {
  const isStuck = patience(stuckAfterMs)
  for (;;) {
    const pending = await countPendingEvents(cluster.postgres.adminUrl())
    if (pending === 0) return
    if (isStuck(pending)) {
      stuck.push({ rule: 'all due work is done', detail: `${pending} events are still pending` })
      return
    }
    cluster.moveClock(15_000)
    await pause(1_000)
  }
}
