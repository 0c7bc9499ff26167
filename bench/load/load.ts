// A load: sent by a process of its own, bounded in rate or connections and in time.

import { join } from 'node:path'
import { startChild } from '../host/child.ts'
import type { Traffic } from './traffic.ts'

export type Load = {
  url: string
  traffic: Traffic
  /** The first part is sent and not counted. */
  warmUpSeconds: number
  seconds: number
  /** Statuses besides 200 that are no failure of the run. */
  allowed?: number[]
} & (
  | { kind: 'closed'; connections: number }
  /** One more every 1/rate seconds, whatever came of those before. */
  | { kind: 'open'; rate: number }
)

export type Outcome = {
  perSecond: number
  count: number
  statuses: Record<string, number>
  /** In ms; of an open load from the moment at which a request was due. */
  latency: { p50: number; p90: number; p99: number; p999: number; max: number }
  /** How many of an open load were sent more than 2 ms after they were due. */
  late: number
  /** Of all that was sent, what was not counted included: how many were answered with 200. */
  succeeded: number
}

export type Told = 'begun' | 'ended' | Outcome

/** around: told the time in which it is counted, for what is read at its beginning and its end. */
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
    if (refused.length > 0) throw new Error(`a ${load.traffic.kind} load met ${JSON.stringify(refused)}`)
    return outcome
  } finally {
    await child.stop()
  }
}
