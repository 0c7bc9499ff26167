// Sends a load of requests from a separate process. A load has a duration and either a fixed request rate or a
// fixed number of connections.

import { join } from 'node:path'
import { startChild } from '../host/child.ts'
import type { WholePayments } from './pay.ts'
import type { Traffic } from './traffic.ts'

export type Load = {
  url: string
  traffic: Traffic | WholePayments
  /** The length of the warm-up in seconds. Requests sent during the warm-up are not counted. */
  warmUpSeconds: number
  seconds: number
  /** The HTTP statuses allowed in addition to 200. A response with any other status makes the run fail. */
  allowed?: number[]
} & (
  | { kind: 'closed'; connections: number }
  /** Sends a request every 1/rate seconds, even if earlier requests have no response yet. */
  | { kind: 'open'; rate: number }
)

export type Outcome = {
  perSecond: number
  count: number
  statuses: Record<string, number>
  /**
   * The latency in milliseconds. For an open load (a load with a fixed request rate), the latency is counted from
   * the time the request was due.
   */
  latency: { p50: number; p90: number; p99: number; p999: number; max: number }
  /**
   * For an open load (a load with a fixed request rate): the number of requests sent more than 2 ms after they were
   * due.
   */
  late: number
  /** The number of responses with status 200, including those during the warm-up. */
  succeeded: number
}

export type Told = 'begun' | 'ended' | Outcome

/**
 * Runs the load. Calls the function `around` when the counting of requests starts and again when it ends, so that the
 * caller can read the CPU time.
 */
export async function runLoad(load: Load, around?: () => Promise<unknown>): Promise<Outcome> {
  const child = startChild<Told>(join(import.meta.dirname, 'process.ts'), { config: load })
  try {
    await child.next()
    await around?.()
    await child.next()
    await around?.()
    const outcome = (await child.next()) as Outcome
    const refused = Object.entries(outcome.statuses).filter(
      ([status]) => status !== '200' && !load.allowed?.includes(Number(status)),
    )
    if (refused.length > 0)
      throw new Error(
        `the ${load.traffic.kind} load received unexpected responses: ${JSON.stringify(refused)}`,
      )
    return outcome
  } finally {
    await child.stop()
  }
}
