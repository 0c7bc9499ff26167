// Decides for which endpoints the process claims webhook deliveries next. Each endpoint has a limit on deliveries
// in flight, so a hanging receiver delays only its own deliveries. An endpoint is unresponsive if its receiver did
// not respond to the last attempt. Unresponsive endpoints together use at most half of the process's slots.

import type { EndpointKey } from './claim-deliveries.sql.ts'

const SLOTS = 256
const SLOTS_OF_UNRESPONSIVE = SLOTS / 2
const IN_FLIGHT = 16
const IN_FLIGHT_UNRESPONSIVE = 2
const ENDPOINTS_PER_CLAIM = 100

export type EndpointState = EndpointKey & {
  /**
   * The number of slots the endpoint uses: one for each webhook delivery in flight, and one for each delivery that
   * a running claim (a query that leases due deliveries) may find.
   */
  inFlight: number
  isUnresponsive: boolean
  /**
   * True if the table may contain due webhook deliveries for the endpoint that this process has not claimed yet.
   */
  mayHaveDue: boolean
}
export type EndpointClaim = EndpointKey & { state: EndpointState; limit: number }

export function endpointSlots() {
  /** The endpoints that may have due webhook deliveries or that have deliveries in flight, in round-robin order. */
  const endpoints = new Map<string, EndpointState>()
  let inUse = 0
  let inUseOfUnresponsive = 0

  function change(state: EndpointState, by: number): void {
    state.inFlight += by
    inUse += by
    if (state.isUnresponsive) inUseOfUnresponsive += by
  }

  function forgetIfDone(state: EndpointState): void {
    if (state.inFlight === 0 && !state.mayHaveDue && !state.isUnresponsive) endpoints.delete(state.endpointId)
  }

  function roomOf(state: EndpointState): number {
    const free = SLOTS - inUse
    return state.isUnresponsive
      ? Math.min(IN_FLIGHT_UNRESPONSIVE - state.inFlight, SLOTS_OF_UNRESPONSIVE - inUseOfUnresponsive, free)
      : Math.min(IN_FLIGHT - state.inFlight, free)
  }

  return {
    /** Marks an endpoint as possibly having due webhook deliveries in the database, so that they are claimed. */
    markDue({ tenantId, endpointId }: EndpointKey): void {
      const known = endpoints.get(endpointId)
      if (known) known.mayHaveDue = true
      else
        endpoints.set(endpointId, {
          ...{ tenantId, endpointId, inFlight: 0 },
          ...{ isUnresponsive: false, mayHaveDue: true },
        })
    },
    /**
     * Returns the claims (queries that lease due webhook deliveries) to make next, and reserves their slots.
     * After each claim, the caller must call `endClaim`.
     */
    nextClaims(): EndpointClaim[] {
      const claims: EndpointClaim[] = []
      for (const state of [...endpoints.values()]) {
        if (claims.length === ENDPOINTS_PER_CLAIM) break
        const limit = state.mayHaveDue ? roomOf(state) : 0
        if (limit <= 0) continue
        // Clears the flag before the claim, so that a `markDue` call during the claim sets the flag again and causes
        // another claim.
        state.mayHaveDue = false
        change(state, limit)
        // Moves the webhook endpoint to the end of the round-robin order.
        endpoints.delete(state.endpointId)
        endpoints.set(state.endpointId, state)
        claims.push({ tenantId: state.tenantId, endpointId: state.endpointId, state, limit })
      }
      return claims
    },
    /**
     * Ends a claim that found `count` webhook deliveries. These deliveries keep their slots; the claim's other
     * slots are freed.
     */
    endClaim({ state, limit }: EndpointClaim, count: number): void {
      change(state, count - limit)
      if (count === limit) state.mayHaveDue = true
      forgetIfDone(state)
    },
    /**
     * Frees a webhook delivery's slot after its attempt. `responded` is true if the receiver responded, false if it did
     * not, and undefined if no request was sent.
     */
    endAttempt(state: EndpointState, responded: boolean | undefined): void {
      change(state, -1)
      if (responded === state.isUnresponsive) {
        inUseOfUnresponsive += responded ? -state.inFlight : state.inFlight
        state.isUnresponsive = !responded
      }
      forgetIfDone(state)
    },
  }
}
