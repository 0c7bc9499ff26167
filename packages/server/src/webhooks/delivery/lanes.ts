// Limits deliveries per tenant. Each tenant has a lane: a limit on concurrent attempts, and a bounded queue of events
// that this process holds. A receiver that hangs fills only its own lane. All lanes whose last attempt got no response
// (silent lanes) share half of the slots. Events that do not fit stay in the table.

import type { Held } from './hold.ts'

/** The number of slots. A slot is in use until its attempt is recorded. */
export const PLACES = 1_024
const PLACES_OF_SILENT = PLACES / 2
export const ATTEMPTS_AT_ONCE = 16
export const ATTEMPTS_OF_SILENT_AT_ONCE = 2
const QUEUED_OF_TENANT = 1_000
const QUEUED = 20_000

export type Lane = {
  tenantId: string
  /** New events, which their jobs handed over. */
  fresh: Held[]
  /** Events that were read from the table. The lane alternates between these and the new events in `fresh`. */
  due: Held[]
  wasDue: boolean
  underWay: number
  /** True if the receiver did not respond to the last attempt. */
  isSilent: boolean
  /** True if the table may have due events that no query has read yet. */
  hasMore: boolean
  /** True while a query for due events is in flight. */
  isLooking: boolean
}

export type Lanes = ReturnType<typeof openLanes>

export function openLanes() {
  const lanes = new Map<string, Lane>()
  /**
   * The lanes that have a waiting event and may start another attempt, in round-robin order. Silent lanes are in a
   * separate set.
   */
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
        hasMore: false,
        isLooking: false,
      }
      lanes.set(tenantId, lane)
    }
    return lane
  }

  const queuedIn = (lane: Lane) => lane.fresh.length + lane.due.length
  const takeAll = (lane: Lane) => [...lane.due.splice(0), ...lane.fresh.splice(0)]
  const mayHaveMore = (lane: Lane) => lane.hasMore || lane.isLooking
  const atOnce = (lane: Lane) => (lane.isSilent ? ATTEMPTS_OF_SILENT_AT_ONCE : ATTEMPTS_AT_ONCE)

  function settle(lane: Lane): void {
    const isReady = queuedIn(lane) > 0 && lane.underWay < atOnce(lane)
    const [mine, other] = lane.isSilent ? [readySilent, ready] : [ready, readySilent]
    other.delete(lane)
    if (isReady) mine.add(lane)
    else mine.delete(lane)
    if (queuedIn(lane) === 0 && lane.underWay === 0 && !lane.isSilent && !mayHaveMore(lane))
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
    if (lane.isSilent)
      return mayHaveMore(lane) ? 0 : ATTEMPTS_OF_SILENT_AT_ONCE - lane.underWay - lane.due.length
    // While the table may have more events, a lane accepts only a few new events from jobs. So a tenant that redelivers
    // a hundred thousand old events still receives some new events in between, but most new events wait in the table.
    return mayHaveMore(lane) ? ATTEMPTS_AT_ONCE : QUEUED_OF_TENANT
  }

  return {
    laneOf,
    /** Adds an event from the table. */
    put: (lane: Lane, held: Held) => put(lane, lane.due, held),
    /** Adds a new event. Returns false if the lane has no room; the event then waits in the table. */
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
      // Silent lanes get every second slot, so that a receiver that has recovered is noticed even if the other lanes
      // are busy.
      const [lane] = mayBeSilent && (ready.size === 0 || !wasSilent) ? readySilent : ready
      const held = lane && shift(lane)
      if (!lane || !held) return undefined
      queued--
      taken++
      lane.underWay++
      wasSilent = lane.isSilent
      if (wasSilent) takenBySilent++
      // Moves the lane to the end of the round-robin order.
      ready.delete(lane)
      readySilent.delete(lane)
      settle(lane)
      return { lane, held }
    },
    /**
     * Ends an attempt. `answered` is whether the receiver responded; undefined if there was no attempt. Returns the
     * events for which the lane has no room any more.
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
    /** Frees a slot. Call it when the result of the slot's attempt has been recorded or dropped. */
    free(): void {
      taken--
    },
    /** Returns how many events from the table the lane can take. */
    wanted(lane: Lane): number {
      const waiting = lane.isSilent ? queuedIn(lane) : lane.due.length
      const free = atOnce(lane) - lane.underWay - waiting
      // Requests some more events than can start now; they are attempted during the next query.
      return free > 0 && !lane.isSilent ? free + ATTEMPTS_AT_ONCE : free
    },
    /** Ends a query for due events. A lane that has nothing left to do is dropped. */
    looked(lane: Lane): void {
      lane.isLooking = false
      settle(lane)
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
