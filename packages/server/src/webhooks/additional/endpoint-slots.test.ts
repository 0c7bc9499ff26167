import { beforeEach, expect, test } from 'vitest'
import { newId } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import type { EndpointKey } from './claim-deliveries.sql.ts'
import { type EndpointClaim, endpointSlots } from './endpoint-slots.ts'

let slots: Slots
let now: Date
beforeEach(() => {
  now = new Date('2026-11-20T03:04:05Z')
  slots = endpointSlots(() => now)
})

const endpoint = () => ({ tenantId: newId(), endpointId: newId() })
type Slots = ReturnType<typeof endpointSlots>

/**
 * Starts the next claims (queries that lease webhook deliveries). Ends each claim as if it had found as many
 * deliveries as its limit allows, and returns the claims.
 */
function claimAll(): EndpointClaim[] {
  const claims = slots.nextClaims()
  for (const claim of claims) slots.endClaim(claim, claim.limit)
  return claims
}
const limitsOf = (claims: EndpointClaim[]) => claims.map(({ limit }) => limit)

test('an endpoint has up to 16 webhook deliveries in flight, but only 2 while its receiver does not respond', () => {
  slots.markDue(endpoint())
  const [claim] = claimAll()
  expect(claim?.limit).toBe(16)
  expect(claimAll()).toEqual([])
  const state = (claim as EndpointClaim).state
  for (let n = 0; n < 14; n++) slots.endAttempt(state, false)
  expect(claimAll()).toEqual([])
  slots.endAttempt(state, false)
  expect(limitsOf(claimAll())).toEqual([1])
  slots.endAttempt(state, true)
  expect(limitsOf(claimAll())).toEqual([15])
})

test('an endpoint whose due deliveries were all found is queried again only when it is marked as due', () => {
  const one = endpoint()
  slots.markDue(one)
  const [claim] = slots.nextClaims() as [EndpointClaim]
  slots.endClaim(claim, 3)
  expect(slots.nextClaims()).toEqual([])
  slots.markDue(one)
  expect(limitsOf(slots.nextClaims())).toEqual([13])
})

test('an endpoint that gets a webhook delivery during a query is queried again', () => {
  const one = endpoint()
  slots.markDue(one)
  const [claim] = slots.nextClaims() as [EndpointClaim]
  slots.markDue(one)
  slots.endClaim(claim, 0)
  expect(limitsOf(slots.nextClaims())).toEqual([16])
})

test('unresponsive endpoints together use at most half of the webhook delivery slots', () => {
  const broken = Array.from({ length: 200 }, endpoint)
  // Each of these endpoints counts as unresponsive after one webhook delivery attempt that got no response.
  for (const each of broken) {
    slots.markDue(each)
    for (const claim of slots.nextClaims()) {
      slots.endClaim(claim, 1)
      slots.endAttempt(claim.state, false)
    }
  }
  for (const each of broken) slots.markDue(each)
  let claimed = 0
  for (let claims = claimAll(); claims.length > 0; claims = claimAll())
    claimed += claims.reduce((sum, { limit }) => sum + limit, 0)
  expect(claimed).toBe(128)
  slots.markDue(endpoint())
  expect(limitsOf(claimAll())).toEqual([16])
})

/**
 * Makes an endpoint unresponsive by ending one webhook delivery without a response. After that, the endpoint
 * has no webhook deliveries in flight.
 */
function failOnce(each: EndpointKey): EndpointClaim['state'] {
  slots.markDue(each)
  const [claim] = slots.nextClaims() as [EndpointClaim]
  slots.endClaim(claim, 1)
  slots.endAttempt(claim.state, false)
  return claim.state
}

test('webhook delivery slots are divided evenly if hundreds of endpoints have due deliveries at once', () => {
  for (let n = 0; n < 150; n++) slots.markDue(endpoint())
  const limits = limitsOf(claimAll())
  expect(limits).toHaveLength(150)
  expect(limits.filter(limit => limit === 2)).toHaveLength(106)
  expect(limits.filter(limit => limit === 1)).toHaveLength(44)
  expect(claimAll()).toEqual([])
})

test('when all webhook delivery slots are in use, freed slots go to the endpoints in round-robin order', () => {
  for (let n = 0; n < 300; n++) slots.markDue(endpoint())
  const claims = claimAll()
  expect(limitsOf(claims).reduce((sum, limit) => sum + limit)).toBe(256)
  for (const { state } of claims) slots.endAttempt(state, true)
  const [next] = claimAll()
  expect(claims.map(({ endpointId }) => endpointId)).not.toContain(next?.endpointId)
})

/** Returns `count` endpoints of one tenant. */
const endpointsOfTenant = (count: number): EndpointKey[] => {
  const tenantId = newId()
  return Array.from({ length: count }, () => ({ tenantId, endpointId: newId() }))
}

test("a tenant's endpoints together have up to 32 webhook deliveries in flight, divided evenly among them", () => {
  for (const each of endpointsOfTenant(16)) slots.markDue(each)
  expect(limitsOf(claimAll())).toEqual(Array.from({ length: 16 }, () => 2))
  expect(claimAll()).toEqual([])
})

test('webhook delivery slots are divided evenly among tenants, however many endpoints each has', () => {
  for (let n = 0; n < 16; n++) for (const each of endpointsOfTenant(2 + n)) slots.markDue(each)
  const claims: EndpointClaim[] = []
  for (let next = claimAll(); next.length > 0; next = claimAll()) claims.push(...next)
  const byTenant = Map.groupBy(claims, ({ tenantId }) => tenantId)
  const totals = Array.from(byTenant.values(), each => limitsOf(each).reduce((sum, limit) => sum + limit))
  expect(totals).toEqual(Array.from({ length: 16 }, () => 16))
})

test("a tenant's unresponsive endpoints together use at most half of the tenant's webhook delivery slots", () => {
  const [working, ...broken] = endpointsOfTenant(20) as [EndpointKey, ...EndpointKey[]]
  for (const each of broken) failOnce(each)
  for (const each of broken) slots.markDue(each)
  expect(limitsOf(claimAll()).reduce((sum, limit) => sum + limit)).toBe(16)
  slots.markDue(working)
  expect(claimAll()).toMatchObject([{ ...working, limit: 16 }])
})

test('an unresponsive endpoint counts as responsive again after ten minutes without webhook deliveries', () => {
  const one = endpoint()
  failOnce(one)
  now = after(now, 9 * 60_000)
  expect(failOnce(one).isUnresponsive).toBe(true)
  now = after(now, 9 * 60_000)
  slots.markDue(one)
  const [second] = slots.nextClaims() as [EndpointClaim]
  expect(second.limit).toBe(2)
  slots.endClaim(second, 0)
  now = after(now, 10 * 60_000)
  slots.markDue(one)
  expect(limitsOf(slots.nextClaims())).toEqual([16])
})

test('when an unresponsive endpoint is deleted, the process no longer stores its state', () => {
  const one = endpoint()
  failOnce(one)
  slots.markDue(one)
  const [claim] = slots.nextClaims() as [EndpointClaim]
  slots.endClaim(claim, 1)
  slots.endpointDeleted(claim.state)
  slots.endAttempt(claim.state, undefined)
  slots.markDue(one)
  expect(limitsOf(slots.nextClaims())).toEqual([16])
})

test('choosing the next endpoints does not read the state of unresponsive endpoints without deliveries', () => {
  let reads = 0
  for (const each of endpointsOfTenant(50)) {
    const state = failOnce(each)
    for (const [name, value] of Object.entries(state))
      Object.defineProperty(state, name, {
        get: () => {
          reads++
          return value
        },
      })
  }
  slots.markDue(endpoint())
  expect(limitsOf(slots.nextClaims())).toEqual([16])
  expect(reads).toBe(0)
})

/**
 * Simulates a process for 100 s, in steps of 100 ms. All tenants always have due webhook deliveries. The receivers of
 * the slow tenants respond after 9.9 s, which is just within the time limit. The receiver of one other tenant responds
 * at once. Returns the number of deliveries to this fast receiver.
 */
function deliveriesBesideSlowTenants(slowTenants: number, endpointsPerTenant: number): number {
  const slots = endpointSlots(() => now)
  const fast = endpoint()
  const ends = new Map<number, EndpointClaim['state'][]>()
  let delivered = 0
  for (let n = 0; n < slowTenants; n++)
    for (const each of endpointsOfTenant(endpointsPerTenant)) slots.markDue(each)
  for (let step = 0; step < 1_000; step++) {
    if (step === 50) slots.markDue(fast)
    for (const state of ends.get(step) ?? []) {
      slots.endAttempt(state, true)
      if (state.endpointId === fast.endpointId) delivered++
    }
    for (let claims = slots.nextClaims(); claims.length > 0; claims = slots.nextClaims())
      for (const claim of claims) {
        slots.endClaim(claim, claim.limit)
        const end = step + (claim.endpointId === fast.endpointId ? 1 : 99)
        const states = Array.from({ length: claim.limit }, () => claim.state)
        ends.set(end, [...(ends.get(end) ?? []), ...states])
      }
  }
  return delivered
}

test('a tenant with many slow endpoints takes no webhook delivery slots from other tenants', () => {
  const alone = deliveriesBesideSlowTenants(0, 0)
  for (const endpoints of [1, 2, 16, 20]) expect(deliveriesBesideSlowTenants(1, endpoints)).toBe(alone)
})

test("a fast tenant's share of slots does not depend on the number of slow endpoints", () => {
  const share = deliveriesBesideSlowTenants(12, 2)
  // Soon after its first deliveries are due, the fast receiver gets as many slots as if there were no slow
  // tenants.
  expect(share).toBeGreaterThan(0.9 * deliveriesBesideSlowTenants(0, 0))
  for (const endpoints of [3, 10, 20]) expect(deliveriesBesideSlowTenants(12, endpoints)).toBe(share)
})
