// Waits until the service has recovered from a round's faults. The service must complete all due work by itself and
// with steady progress. Then moves the clock forward, so that later work becomes due: status inquiries, payment
// expiries and webhook retries.

import { setTimeout as pause } from 'node:timers/promises'
import { countPendingEvents, readWaiting, type Waiting } from '../checker/read.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { EXPIRY_MINUTES } from '../cluster/merchants.ts'
import type { Shop } from '../load/shop.ts'
import { patience } from './patience.ts'

export type Stuck = { rule: string; detail: string }

/**
 * All work counts as done if no work has been due for this long. A single check is not enough, because a payment does
 * not count as due while its status inquiry is in flight.
 */
const QUIET_FOR_MS = 1_300
const LOOK_EVERY_MS = 100

type Options = { stuckAfterMs: number; progress: (line: string) => void }

/**
 * The number of minutes by which each step moves the clock forward. After all steps, every scheduled status inquiry has
 * become due:
 * - charge with an unknown outcome: after 1 and 5 minutes
 * - charge with a known outcome: before the expiry, at the expiry and 5 minutes later
 * - no response from the provider: every further hour
 */
const MINUTES = [1, 6, EXPIRY_MINUTES - 8, 3, 6, 61, 61]
/**
 * The indexes in `MINUTES` after which the simulated shop resends unanswered create requests. At the first resend,
 * the service has already sent status inquiries about these payments. At the second resend, the service has repeated
 * the inquiries that timed out.
 */
const REPEATED_AFTER = [1, 4]
/**
 * The shop stops retrying if no create request receives a response for this number of milliseconds. The limit is longer
 * than any request takes. It is needed because some providers cannot report the outcome of a charge.
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
  progress(`all due work was done ${(recoveredMs / 1_000).toFixed(1)} s after the faults`)

  // Waits until the simulated shops have sent their last requests and received the responses, or stopped
  // waiting for them.
  await selling
  for (const [n, minutes] of MINUTES.entries()) {
    // Once due work is stuck, the clock is not moved further, because each later wait would report the same
    // work again.
    if (stuck.length > 0) break
    cluster.moveClock(minutes * 60_000)
    await settle(`after another ${minutes} minutes`)
    progress(`after the clock moved forward by ${minutes} minutes, no work is due`)
    if (REPEATED_AFTER.includes(n)) await shop.repeatOpen(UNANSWERED_FOR_MS)
  }
  await untilNoEventIsPending(cluster, options, stuck)
  return { recoveredMs, stuck }
}

/**
 * Waits until no work is due, then returns undefined. If the work that was due at the start makes no progress for
 * `stuckAfterMs`, returns a description of this work.
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
 * Moves the clock forward until no webhook event is pending. Two delivery attempts for an event are 10 s
 * apart, so moving the clock saves waiting.
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
