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
  /** As their jobs brought them. */
  fresh: Held[]
  /** From the table. They and the fresh ones take turns. */
  due: Held[]
  wasDue: boolean
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
      lane = {
        tenantId,
        fresh: [],
        due: [],
        wasDue: false,
        underWay: 0,
        isSilent: false,
        calls: 0,
        hasMore: false,
        isLooking: false,
      }
      lanes.set(tenantId, lane)
    }
    return lane
  }

  const queuedIn = (lane: Lane) => lane.fresh.length + lane.due.length
  const takeAll = (lane: Lane) => [...lane.due.splice(0), ...lane.fresh.splice(0)]
  const atOnce = (lane: Lane) => (lane.isSilent ? ATTEMPTS_OF_SILENT_AT_ONCE : ATTEMPTS_AT_ONCE)

  function settle(lane: Lane): void {
    const isReady = queuedIn(lane) > 0 && lane.underWay < atOnce(lane)
    const [mine, other] = lane.isSilent ? [readySilent, ready] : [ready, readySilent]
    other.delete(lane)
    if (isReady) mine.add(lane)
    else mine.delete(lane)
    if (queuedIn(lane) === 0 && lane.underWay === 0 && !lane.isSilent && !lane.hasMore && !lane.isLooking)
      lanes.delete(lane.tenantId)
  }

  function put(lane: Lane, queue: Held[], held: Held): void {
    queue.push(held)
    queued++
    settle(lane)
  }

  function shift(lane: Lane): Held | undefined {
    lane.wasDue = lane.fresh.length === 0 || (lane.due.length > 0 && !lane.wasDue)
    return (lane.wasDue ? lane.due : lane.fresh).shift()
  }

  function roomOf(lane: Lane): number {
    if (lane.isSilent) return lane.hasMore ? 0 : ATTEMPTS_OF_SILENT_AT_ONCE - lane.underWay - lane.due.length
    // Who has a hundred thousand old events sent again hears of what happens meanwhile; the most of it waits with them.
    return lane.hasMore ? ATTEMPTS_AT_ONCE : QUEUED_OF_TENANT
  }

  return {
    laneOf,
    settle,
    /** One of the table's. */
    put: (lane: Lane, held: Held) => put(lane, lane.due, held),
    /** A fresh one. False where there is no room: then it waits in the table. */
    add(held: Held): boolean {
      const lane = laneOf(held.tenantId)
      if (lane.fresh.length >= roomOf(lane) || queued >= QUEUED) return false
      put(lane, lane.fresh, held)
      return true
    },
    /** The next to attempt; takes its places. */
    next(): { lane: Lane; held: Held } | undefined {
      if (taken >= PLACES) return undefined
      const mayBeSilent = readySilent.size > 0 && takenBySilent < PLACES_OF_SILENT
      // Each other place, so that however busy the rest are, a receiver that is back is found to be.
      const [lane] = mayBeSilent && (ready.size === 0 || !wasSilent) ? readySilent : ready
      const held = lane && shift(lane)
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
      const excess = isSilent && !lane.isSilent ? takeAll(lane) : []
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
      const waiting = lane.isSilent ? queuedIn(lane) : lane.due.length
      const free = atOnce(lane) - lane.underWay - waiting
      // Some to go on with while the next are looked for.
      return free > 0 && !lane.isSilent ? free + ATTEMPTS_AT_ONCE : free
    },
    /** All that waits. */
    clear(): Held[] {
      const left = [...lanes.values()].flatMap(takeAll)
      queued = 0
      for (const lane of [...lanes.values()]) settle(lane)
      return left
    },
  }
}
