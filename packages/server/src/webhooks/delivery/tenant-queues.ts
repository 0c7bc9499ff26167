// Chooses the next webhook event for this process to send. Each tenant has a queue and a limit on attempts in flight,
// so a slow receiver delays only its own tenant's events. A queue counts as unresponsive if the receiver did not
// respond to the last attempt. All unresponsive queues share at most half of the process's slots. Events that do not
// fit in a queue wait in the database.

import type { Lease } from './lease.ts'

/**
 * The maximum number of webhook events in progress in this process. An event occupies a slot until its attempt's
 * result is recorded.
 */
export const SLOTS = 1_024
const SLOTS_OF_UNRESPONSIVE = SLOTS / 2
const ATTEMPTS_IN_FLIGHT = 16
const ATTEMPTS_IN_FLIGHT_UNRESPONSIVE = 2
/** The maximum number of new webhook events that wait in memory, per tenant and in total. */
const WAITING_OF_TENANT = 1_000
const WAITING = 20_000

export type TenantQueue = {
  tenantId: string
  /**
   * New webhook events. Each event was leased (reserved for one process) when it was inserted, and a job then
   * passed it to this process.
   */
  newEvents: Lease[]
  /**
   * Webhook events that this process claimed from the database because their next attempt was due. The queue
   * alternates between these events and new events.
   */
  dueEvents: Lease[]
  lastWasDue: boolean
  inFlight: number
  /** True if the receiver did not respond to the last webhook delivery attempt. */
  isUnresponsive: boolean
  /**
   * True if the database may contain due webhook events of the tenant that this process has not tried to claim yet.
   */
  mayHaveDue: boolean
  /** True while a query that claims due webhook events is running. */
  isClaiming: boolean
}

export type TenantQueues = ReturnType<typeof tenantQueues>

export function tenantQueues() {
  const queues = new Map<string, TenantQueue>()
  /** The queues of responsive receivers that can start another webhook delivery attempt now, in round-robin order. */
  const ready = new Set<TenantQueue>()
  const readyUnresponsive = new Set<TenantQueue>()
  let slotsInUse = 0
  let slotsOfUnresponsive = 0
  let lastWasUnresponsive = false
  let waiting = 0

  function queueOf(tenantId: string): TenantQueue {
    let queue = queues.get(tenantId)
    if (!queue) {
      queue = {
        tenantId,
        newEvents: [],
        dueEvents: [],
        lastWasDue: false,
        inFlight: 0,
        isUnresponsive: false,
        mayHaveDue: false,
        isClaiming: false,
      }
      queues.set(tenantId, queue)
    }
    return queue
  }

  const waitingIn = (queue: TenantQueue) => queue.newEvents.length + queue.dueEvents.length
  const removeWaiting = (queue: TenantQueue) => [...queue.dueEvents.splice(0), ...queue.newEvents.splice(0)]
  const mayFindMore = (queue: TenantQueue) => queue.mayHaveDue || queue.isClaiming
  const maxInFlight = (queue: TenantQueue) =>
    queue.isUnresponsive ? ATTEMPTS_IN_FLIGHT_UNRESPONSIVE : ATTEMPTS_IN_FLIGHT

  /**
   * Adds a changed queue to the ready queues or removes it from them. Deletes the queue if it has no webhook
   * events and no attempts in flight.
   */
  function reschedule(queue: TenantQueue): void {
    const isReady = waitingIn(queue) > 0 && queue.inFlight < maxInFlight(queue)
    const [mine, other] = queue.isUnresponsive ? [readyUnresponsive, ready] : [ready, readyUnresponsive]
    other.delete(queue)
    if (isReady) mine.add(queue)
    else mine.delete(queue)
    if (waitingIn(queue) === 0 && queue.inFlight === 0 && !queue.isUnresponsive && !mayFindMore(queue))
      queues.delete(queue.tenantId)
  }

  function push(queue: TenantQueue, events: Lease[], lease: Lease): void {
    events.push(lease)
    waiting++
    reschedule(queue)
  }

  function shift(queue: TenantQueue): Lease | undefined {
    queue.lastWasDue = queue.newEvents.length === 0 || (queue.dueEvents.length > 0 && !queue.lastWasDue)
    return (queue.lastWasDue ? queue.dueEvents : queue.newEvents).shift()
  }

  function roomForNew(queue: TenantQueue): number {
    if (queue.isUnresponsive)
      return mayFindMore(queue)
        ? 0
        : ATTEMPTS_IN_FLIGHT_UNRESPONSIVE - queue.inFlight - queue.dueEvents.length
    // While the database may contain due webhook events for the tenant, the queue accepts only a few new events.
    // Further new events wait in the database. If the queue accepted no new events, a tenant that redelivers a hundred
    // thousand old events would receive no new events for a long time.
    return mayFindMore(queue) ? ATTEMPTS_IN_FLIGHT : WAITING_OF_TENANT
  }

  return {
    queueOf,
    /** Adds a webhook event that this process has claimed from the database to the tenant's queue. */
    addDue: (queue: TenantQueue, lease: Lease) => push(queue, queue.dueEvents, lease),
    /**
     * Adds a new webhook event to its tenant's queue. Returns false if the queue is full, in which case the event
     * must wait in the database.
     */
    addNew(lease: Lease): boolean {
      const queue = queueOf(lease.tenantId)
      if (queue.newEvents.length >= roomForNew(queue) || waiting >= WAITING) return false
      push(queue, queue.newEvents, lease)
      return true
    },
    /**
     * Returns the next webhook event to send, and assigns a delivery slot to the event. Returns undefined if no event
     * can be sent now.
     */
    next(): { queue: TenantQueue; lease: Lease } | undefined {
      if (slotsInUse >= SLOTS) return undefined
      const isUnresponsiveAllowed = readyUnresponsive.size > 0 && slotsOfUnresponsive < SLOTS_OF_UNRESPONSIVE
      // Every second free slot goes to a tenant whose receiver is unresponsive, because a busy process would
      // otherwise never notice that this receiver responds again.
      const [queue] =
        isUnresponsiveAllowed && (ready.size === 0 || !lastWasUnresponsive) ? readyUnresponsive : ready
      const lease = queue && shift(queue)
      if (!queue || !lease) return undefined
      waiting--
      slotsInUse++
      queue.inFlight++
      lastWasUnresponsive = queue.isUnresponsive
      if (lastWasUnresponsive) slotsOfUnresponsive++
      // Moves the tenant's queue to the end of the round-robin order, so that the other tenants' queues come
      // first.
      ready.delete(queue)
      readyUnresponsive.delete(queue)
      reschedule(queue)
      return { queue, lease }
    },
    /**
     * Ends a delivery attempt, whose slot stays in use until the result is recorded. `responded` is undefined if no
     * request was sent. If the receiver has become unresponsive, removes the waiting webhook events from the tenant's
     * queue and returns their leases, which the caller must release.
     */
    endAttempt(queue: TenantQueue, responded: boolean | undefined): Lease[] {
      if (queue.isUnresponsive) slotsOfUnresponsive--
      queue.inFlight--
      const isUnresponsive = responded === undefined ? queue.isUnresponsive : !responded
      if (isUnresponsive !== queue.isUnresponsive)
        slotsOfUnresponsive += isUnresponsive ? queue.inFlight : -queue.inFlight
      const removed = isUnresponsive && !queue.isUnresponsive ? removeWaiting(queue) : []
      waiting -= removed.length
      queue.isUnresponsive = isUnresponsive
      reschedule(queue)
      return removed
    },
    /** Frees a slot after the webhook delivery attempt's result is recorded, or if no request was sent. */
    freeSlot(): void {
      slotsInUse--
    },
    /**
     * Returns the maximum number of due webhook events that may be read from the table into this queue. The result is 0
     * or negative if the queue has no room.
     */
    claimLimit(queue: TenantQueue): number {
      const ahead = queue.isUnresponsive ? waitingIn(queue) : queue.dueEvents.length
      const startable = maxInFlight(queue) - queue.inFlight - ahead
      // Claims more webhook events than the tenant can send now. The tenant then still has events to send while the
      // next query for events is running.
      return startable > 0 && !queue.isUnresponsive ? startable + ATTEMPTS_IN_FLIGHT : startable
    },
    /**
     * Must be called when the queue's claim has ended. A claim is a query that leases due webhook events from
     * the database.
     */
    endClaim(queue: TenantQueue): void {
      queue.isClaiming = false
      reschedule(queue)
    },
    /** Removes all waiting webhook events from memory. Returns their leases, which the caller must release. */
    clear(): Lease[] {
      const removed = [...queues.values()].flatMap(removeWaiting)
      waiting = 0
      for (const queue of [...queues.values()]) reschedule(queue)
      return removed
    },
  }
}
