// Limits deliveries per tenant. Each tenant has a lane: a limit on concurrent attempts, and a bounded queue of events
// that this process holds. A receiver that hangs fills only its own lane. All lanes whose last attempt got no response
// (silent lanes) share half of the slots. Events that do not fit stay in the table.

import type { Held } from './hold.ts'

/** Slots; each is in use until its attempt is recorded. */
export const PLACES = 1_024
const PLACES_OF_SILENT = PLACES / 2
export const ATTEMPTS_AT_ONCE = 16
export const ATTEMPTS_OF_SILENT_AT_ONCE = 2
const QUEUED_OF_TENANT = 1_000
const QUEUED = 20_000

export type Lane = {
  tenantId: string
  /** Events handed over by their jobs. */
  fresh: Held[]
  /** Events from the table. The lane alternates between these and the fresh ones. */
  due: Held[]
  wasDue: boolean
  underWay: number
  /** The receiver did not respond to the last attempt. */
  isSilent: boolean
  /** Incremented whenever the table may contain more events, so that a query can detect a call that came during it. */
  calls: number
  hasMore: boolean
  isLooking: boolean
}

export type Lanes = ReturnType<typeof openLanes>

export function openLanes() {
  const lanes = new Map<string, Lane>()
  /** Lanes with a waiting event and a free attempt, in round-robin order; silent lanes are separate. */
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
    // While the table may have more events, a lane accepts only a few fresh ones. So a tenant that redelivers a hundred
    // thousand old events still receives new ones in between, but most new ones wait in the table.
    return lane.hasMore ? ATTEMPTS_AT_ONCE : QUEUED_OF_TENANT
  }

  return {
    laneOf,
    settle,
    /** Adds an event from the table. */
    put: (lane: Lane, held: Held) => put(lane, lane.due, held),
    /** Adds a fresh event. Returns false if there is no room; the event then waits in the table. */
    add(held: Held): boolean {
      const lane = laneOf(held.tenantId)
      if (lane.fresh.length >= roomOf(lane) || queued >= QUEUED) return false
      put(lane, lane.fresh, held)
      return true
    },
    /** Returns the next event to attempt and takes a slot for it. */
    next(): { lane: Lane; held: Held } | undefined {
      if (taken >= PLACES) return undefined
      const mayBeSilent = readySilent.size > 0 && takenBySilent < PLACES_OF_SILENT
      // Silent lanes get every other slot, so that a recovered receiver is noticed however busy the other lanes are.
      const [lane] = mayBeSilent && (ready.size === 0 || !wasSilent) ? readySilent : ready
      const held = lane && shift(lane)
      if (!lane || !held) return undefined
      queued--
      taken++
      lane.underWay++
      wasSilent = lane.isSilent
      if (wasSilent) takenBySilent++
      // Moves the lane to the end of the round.
      ready.delete(lane)
      readySilent.delete(lane)
      settle(lane)
      return { lane, held }
    },
    /**
     * Ends an attempt; `answered` is undefined if there was none. Returns the events for which the lane has no room
     * now.
     */
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
    /** Frees a slot once the result of its attempt was recorded or dropped. */
    free(): void {
      taken--
    },
    /** How many of the table's events the lane can take. */
    wanted(lane: Lane): number {
      const waiting = lane.isSilent ? queuedIn(lane) : lane.due.length
      const free = atOnce(lane) - lane.underWay - waiting
      // Asks for some in reserve, to attempt during the next query.
      return free > 0 && !lane.isSilent ? free + ATTEMPTS_AT_ONCE : free
    },
    /** Removes and returns all waiting events. */
    clear(): Held[] {
      const left = [...lanes.values()].flatMap(takeAll)
      queued = 0
      for (const lane of [...lanes.values()]) settle(lane)
      return left
    },
  }
}
