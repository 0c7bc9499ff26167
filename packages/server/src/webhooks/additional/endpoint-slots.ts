// Decides for which endpoints the process claims webhook deliveries next. Each tenant and each endpoint has a limited
// number of slots (deliveries in flight). A slow tenant or receiver therefore delays only its own deliveries. Each free
// slot goes to the tenant that uses the fewest slots, and to this tenant's endpoints in turn.
//
// An endpoint is unresponsive if its receiver did not respond to the last attempt. All unresponsive endpoints together
// use at most half of the process's slots. A tenant's unresponsive endpoints together use at most half of the tenant's
// slots.

import type { Clock } from '../../values/time.ts'
import type { EndpointKey } from './claim-deliveries.sql.ts'

const SLOTS = 256
const SLOTS_OF_UNRESPONSIVE = SLOTS / 2
const IN_FLIGHT_PER_TENANT = 32
const UNRESPONSIVE_IN_FLIGHT_PER_TENANT = IN_FLIGHT_PER_TENANT / 2
const IN_FLIGHT = 16
const IN_FLIGHT_UNRESPONSIVE = 2
/** How long the process remembers an unresponsive endpoint that has no deliveries due or in flight. */
const REMEMBER_UNRESPONSIVE_MS = 10 * 60_000

type TenantState = {
  /**
   * The endpoints that may have unclaimed due webhook deliveries, in round-robin order. Unresponsive endpoints are in a
   * separate set. If no slot is left for them, all of them can be skipped at once.
   */
  due: { responsive: Set<EndpointState>; unresponsive: Set<EndpointState> }
  /**
   * True if the tenant's unresponsive endpoints have priority for its next free slot. False if its responsive endpoints
   * have priority.
   */
  isTurnOfUnresponsive: boolean
  /** The number of slots that the tenant's endpoints use. */
  inFlight: number
  inFlightOfUnresponsive: number
  /** The number of the tenant's endpoints whose state this process stores. */
  endpointCount: number
}

export type EndpointState = EndpointKey & {
  tenant: TenantState
  /**
   * The number of delivery slots that the endpoint uses. Each webhook delivery in flight uses one slot. Each
   * running claim (a query that leases due deliveries) uses one slot for each delivery that it may find.
   */
  inFlight: number
  isUnresponsive: boolean
}
export type EndpointClaim = EndpointKey & { state: EndpointState; limit: number }

const newTenant = (): TenantState => ({
  due: { responsive: new Set(), unresponsive: new Set() },
  isTurnOfUnresponsive: false,
  ...{ inFlight: 0, inFlightOfUnresponsive: 0, endpointCount: 0 },
})

/**
 * Returns the set that contains the endpoint while it may have due webhook deliveries: the set of its
 * tenant's unresponsive or responsive endpoints.
 */
const dueSetOf = ({ tenant, isUnresponsive }: EndpointState): Set<EndpointState> =>
  isUnresponsive ? tenant.due.unresponsive : tenant.due.responsive

function moveToEnd<T>(set: Set<T>, element: T): void {
  set.delete(element)
  set.add(element)
}

export function endpointSlots(clock: Clock) {
  /**
   * The endpoints that have due deliveries or deliveries in flight, and the unresponsive endpoints that have
   * neither.
   */
  const endpoints = new Map<string, EndpointState>()
  const tenants = new Map<string, TenantState>()
  /**
   * The tenants that may have due webhook deliveries, grouped by the number of slots they use. In each group, the tenant
   * that has waited longest is first.
   */
  const dueTenants = Array.from({ length: IN_FLIGHT_PER_TENANT + 1 }, () => new Set<TenantState>())
  /**
   * The unresponsive endpoints that have neither due deliveries nor deliveries in flight, with the time when this state
   * began. The oldest time is first.
   */
  const idleSince = new Map<EndpointState, number>()
  let inUse = 0
  let inUseOfUnresponsive = 0

  function stateOf({ tenantId, endpointId }: EndpointKey): EndpointState {
    const known = endpoints.get(endpointId)
    if (known) return known
    const tenant = tenants.get(tenantId) ?? newTenant()
    const state = { tenantId, endpointId, tenant, inFlight: 0, isUnresponsive: false }
    tenant.endpointCount++
    tenants.set(tenantId, tenant)
    endpoints.set(endpointId, state)
    return state
  }

  function forget(state: EndpointState): void {
    endpoints.delete(state.endpointId)
    idleSince.delete(state)
    state.tenant.endpointCount--
    if (state.tenant.endpointCount === 0) tenants.delete(state.tenantId)
  }

  const groupOf = ({ inFlight }: TenantState) => dueTenants[inFlight] as Set<TenantState>

  function setDue(state: EndpointState): void {
    idleSince.delete(state)
    dueSetOf(state).add(state)
    groupOf(state.tenant).add(state.tenant)
  }

  function change(state: EndpointState, by: number): void {
    if (by === 0) return
    const { tenant } = state
    const isDue = groupOf(tenant).delete(tenant)
    state.inFlight += by
    tenant.inFlight += by
    if (isDue) groupOf(tenant).add(tenant)
    inUse += by
    if (state.isUnresponsive) changeUnresponsive(state, by)
  }

  function changeUnresponsive({ tenant }: EndpointState, by: number): void {
    tenant.inFlightOfUnresponsive += by
    inUseOfUnresponsive += by
  }

  function setUnresponsive(state: EndpointState, isUnresponsive: boolean): void {
    if (state.isUnresponsive === isUnresponsive) return
    const isDue = dueSetOf(state).delete(state)
    changeUnresponsive(state, isUnresponsive ? state.inFlight : -state.inFlight)
    state.isUnresponsive = isUnresponsive
    if (isDue) dueSetOf(state).add(state)
  }

  function endUse(state: EndpointState): void {
    if (state.inFlight > 0 || dueSetOf(state).has(state)) return
    if (state.isUnresponsive) idleSince.set(state, clock().getTime())
    else forget(state)
  }

  function forgetExpired(): void {
    const expiredAt = clock().getTime() - REMEMBER_UNRESPONSIVE_MS
    for (const [state, since] of idleSince) {
      if (since > expiredAt) break
      forget(state)
    }
  }

  const hasRoomForUnresponsive = ({ inFlightOfUnresponsive }: TenantState): boolean =>
    inFlightOfUnresponsive < UNRESPONSIVE_IN_FLIGHT_PER_TENANT && inUseOfUnresponsive < SLOTS_OF_UNRESPONSIVE

  /**
   * Returns the tenant's endpoint that gets the next delivery slot. Responsive and unresponsive endpoints
   * take turns. Endpoints that already use all their slots are skipped.
   */
  function nextEndpoint(tenant: TenantState): EndpointState | undefined {
    const kinds = ['responsive', 'unresponsive'] as const
    for (const kind of tenant.isTurnOfUnresponsive ? kinds.toReversed() : kinds) {
      if (kind === 'unresponsive' && !hasRoomForUnresponsive(tenant)) continue
      const limit = kind === 'unresponsive' ? IN_FLIGHT_UNRESPONSIVE : IN_FLIGHT
      for (const state of tenant.due[kind]) if (state.inFlight < limit) return state
    }
    return undefined
  }

  return {
    /**
     * Records that an endpoint may have due webhook deliveries in the database, so that the process claims
     * (leases) these deliveries.
     */
    markDue(endpoint: EndpointKey): void {
      forgetExpired()
      setDue(stateOf(endpoint))
    },
    /**
     * Returns the claims that the caller must make next. A claim is a query that leases due webhook
     * deliveries. Reserves a slot for each delivery that a claim may find, so the caller must call `endClaim`
     * after each claim.
     */
    nextClaims(): EndpointClaim[] {
      const limits = new Map<EndpointState, number>()
      function reserveSlot(tenant: TenantState): void {
        const state = nextEndpoint(tenant)
        if (!state) return
        limits.set(state, (limits.get(state) ?? 0) + 1)
        tenant.isTurnOfUnresponsive = !state.isUnresponsive
        moveToEnd(dueSetOf(state), state)
        change(state, 1)
      }
      // A tenant that gets a slot moves to the next group, whose tenants use one slot more. The tenant therefore gets
      // another slot only after the other tenants of its former group.
      for (const group of dueTenants.slice(0, IN_FLIGHT_PER_TENANT))
        for (const tenant of group) if (inUse < SLOTS) reserveSlot(tenant)
      // When an endpoint's deliveries are claimed, the endpoint's mark as due is removed. If `markDue` marks the
      // endpoint again during the claim, another claim follows.
      for (const state of limits.keys()) {
        const { due } = state.tenant
        dueSetOf(state).delete(state)
        if (due.responsive.size + due.unresponsive.size === 0) groupOf(state.tenant).delete(state.tenant)
      }
      return Array.from(limits, ([state, limit]) => {
        const { tenantId, endpointId } = state
        return { tenantId, endpointId, state, limit }
      })
    },
    /**
     * Must be called when a claim (a query that leases due webhook deliveries) has found `count` deliveries.
     * Frees the slots that were reserved for the claim but that these deliveries do not need.
     */
    endClaim({ state, limit }: EndpointClaim, count: number): void {
      change(state, count - limit)
      if (count === limit) setDue(state)
      endUse(state)
    },
    /** Forgets that a deleted endpoint was unresponsive, so that no state is kept for it. */
    endpointDeleted(state: EndpointState): void {
      setUnresponsive(state, false)
    },
    /**
     * Frees a webhook delivery's slot after its attempt. `responded` is true if the receiver responded, false if it did
     * not, and undefined if no request was sent.
     */
    endAttempt(state: EndpointState, responded: boolean | undefined): void {
      change(state, -1)
      if (responded !== undefined) setUnresponsive(state, !responded)
      endUse(state)
    },
  }
}
