// Waits for the recovery after the faults of a fault-injection round: all due work must complete without
// intervention, and must never stop making progress for too long. Then the clock is moved forward to make
// later work due: status inquiries, expiry, the inquiry after expiry, and webhook retries.

import { setTimeout as pause } from 'node:timers/promises'
import { countPendingEvents, readWaiting, type Waiting } from '../checker/read.ts'
import type { Cluster } from '../cluster/cluster.ts'
import { EXPIRY_MINUTES } from '../cluster/merchants.ts'
import type { Shop } from '../load/shop.ts'
import { patience } from './patience.ts'

export type Stuck = { rule: string; detail: string }

/**
 * All work counts as done if no work has been due for this time. A single check is not enough, because a payment is
 * not due while its status inquiry is in flight.
 */
const QUIET_FOR_MS = 1_300
const LOOK_EVERY_MS = 100

type Options = { stuckAfterMs: number; progress: (line: string) => void }

/**
 * The minutes by which each move advances the clock. The moves make all scheduled status inquiries due. Inquiries
 * about unknown outcomes are due after 1 and 5 minutes. Other inquiries are due before a payment's expiry, at the
 * expiry, 5 minutes later, and then hourly if the provider did not respond.
 */
const MINUTES = [1, 6, EXPIRY_MINUTES - 8, 3, 6, 61, 61]
/**
 * After these moves of the clock, by their index in `MINUTES`, the simulated shop resends create requests that got
 * no response. By then, the service has sent a status inquiry about every such payment. Before the second resend,
 * the service has also repeated the inquiries that timed out.
 */
const REPEATED_AFTER = [1, 4]
/**
 * The shop stops retrying when no create request has got a response for this time, which is longer than a request
 * may take. Some requests never get a response, because the provider cannot report their outcome.
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
    // If due work is stuck, the clock is not moved further, because the next wait would be for the same work.
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
 * Waits until no work is due. Returns undefined, or a description of the work that was due at the start and
 * made no progress for stuckAfterMs. Work that becomes due later is not included.
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

/** Moves the clock until no event is pending. Attempts are 10 s apart, so moving the clock replaces waiting. */
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
