// Each tenant has a lane: so many attempts at its receiver at a time, and a bounded queue of events that this process
// holds for it. A receiver that hangs fills its own lane; of those that did not answer the last time all lanes together
// take half of the places that there are. What has no room stays in the table.

import type { Held } from './hold.ts'

/** Each taken until its attempt is written down. */
export const PLACES = 1_024
const PLACES_OF_SILENT = PLACES / 2
export const ATTEMPTS_AT_ONCE = 16
export const ATTEMPTS_OF_SILENT_AT_ONCE = 2
const QUEUED_OF_TENANT = 1_000
const QUEUED = 20_000

export type Lane = {
  tenantId: string
  queue: Held[]
  underWay: number
  /** Its receiver did not answer the last time. */
  isSilent: boolean
  /** There may be more in the table: counted up by whoever says so, so that a look knows whether it is the latest. */
  calls: number
  hasMore: boolean
  isLooking: boolean
}

export type Lanes = ReturnType<typeof openLanes>

export function openLanes() {
  const lanes = new Map<string, Lane>()
  /** With something to attempt and a place for it, in turn; the silent ones apart. */
  const ready = new Set<Lane>()
  const readySilent = new Set<Lane>()
  let taken = 0
  let takenBySilent = 0
  let wasSilent = false
  let queued = 0

  function laneOf(tenantId: string): Lane {
    let lane = lanes.get(tenantId)
    if (!lane) {
      lane = { tenantId, queue: [], underWay: 0, isSilent: false, calls: 0, hasMore: false, isLooking: false }
      lanes.set(tenantId, lane)
    }
    return lane
  }

  const atOnce = (lane: Lane) => (lane.isSilent ? ATTEMPTS_OF_SILENT_AT_ONCE : ATTEMPTS_AT_ONCE)

  function settle(lane: Lane): void {
    const isReady = lane.queue.length > 0 && lane.underWay < atOnce(lane)
    const [mine, other] = lane.isSilent ? [readySilent, ready] : [ready, readySilent]
    other.delete(lane)
    if (isReady) mine.add(lane)
    else mine.delete(lane)
    if (lane.queue.length === 0 && lane.underWay === 0 && !lane.isSilent && !lane.hasMore && !lane.isLooking)
      lanes.delete(lane.tenantId)
  }

  function put(lane: Lane, held: Held): void {
    lane.queue.push(held)
    queued++
    settle(lane)
  }

  return {
    laneOf,
    settle,
    put,
    /** False where there is no room: while events of the tenant wait in the table, new ones wait behind them. */
    add(held: Held): boolean {
      const lane = laneOf(held.tenantId)
      const room = lane.isSilent ? ATTEMPTS_OF_SILENT_AT_ONCE - lane.underWay : QUEUED_OF_TENANT
      if (lane.hasMore || lane.queue.length >= room || queued >= QUEUED) return false
      put(lane, held)
      return true
    },
    /** The next to attempt; takes its places. */
    next(): { lane: Lane; held: Held } | undefined {
      if (taken >= PLACES) return undefined
      const mayBeSilent = readySilent.size > 0 && takenBySilent < PLACES_OF_SILENT
      // Each other place, so that however busy the rest are, a receiver that is back is found to be.
      const [lane] = mayBeSilent && (ready.size === 0 || !wasSilent) ? readySilent : ready
      const held = lane?.queue.shift()
      if (!lane || !held) return undefined
      queued--
      taken++
      lane.underWay++
      wasSilent = lane.isSilent
      if (wasSilent) takenBySilent++
      // To the end of the turn.
      ready.delete(lane)
      readySilent.delete(lane)
      settle(lane)
      return { lane, held }
    },
    /** The receiver is done with an attempt; undefined: there was none. Gives what the lane has no room for now. */
    answered(lane: Lane, answered: boolean | undefined): Held[] {
      if (lane.isSilent) takenBySilent--
      lane.underWay--
      const isSilent = answered === undefined ? lane.isSilent : !answered
      if (isSilent !== lane.isSilent) takenBySilent += isSilent ? lane.underWay : -lane.underWay
      const excess = isSilent && !lane.isSilent ? lane.queue.splice(0) : []
      queued -= excess.length
      lane.isSilent = isSilent
      settle(lane)
      return excess
    },
    /** What became of it is written down, or given up. */
    free(): void {
      taken--
    },
    /** How many of the table's events a lane would take. */
    wanted(lane: Lane): number {
      const free = atOnce(lane) - lane.underWay - lane.queue.length
      // Some to go on with while the next are looked for.
      return free > 0 && !lane.isSilent ? free + ATTEMPTS_AT_ONCE : free
    },
    /** All that waits. */
    clear(): Held[] {
      const left = [...lanes.values()].flatMap(lane => lane.queue.splice(0))
      queued = 0
      for (const lane of [...lanes.values()]) settle(lane)
      return left
    },
  }
}
