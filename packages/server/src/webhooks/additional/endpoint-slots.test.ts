import { expect, test } from 'vitest'
import { newId } from '../../values/id.ts'
import { type EndpointClaim, endpointSlots } from './endpoint-slots.ts'

const endpoint = () => ({ tenantId: newId(), endpointId: newId() })
type Slots = ReturnType<typeof endpointSlots>

/**
 * Starts the next claims (queries that lease webhook deliveries), and ends each claim as if it had found the
 * maximum number of deliveries.
 */
function claimAll(slots: Slots): EndpointClaim[] {
  const claims = slots.nextClaims()
  for (const claim of claims) slots.endClaim(claim, claim.limit)
  return claims
}
const limitsOf = (claims: EndpointClaim[]) => claims.map(({ limit }) => limit)

test('an endpoint has up to 16 webhook deliveries in flight, but only 2 while its receiver does not respond', () => {
  const slots = endpointSlots()
  slots.markDue(endpoint())
  const [claim] = claimAll(slots)
  expect(claim?.limit).toBe(16)
  expect(claimAll(slots)).toEqual([])
  const state = (claim as EndpointClaim).state
  for (let n = 0; n < 14; n++) slots.endAttempt(state, false)
  expect(claimAll(slots)).toEqual([])
  slots.endAttempt(state, false)
  expect(limitsOf(claimAll(slots))).toEqual([1])
  slots.endAttempt(state, true)
  expect(limitsOf(claimAll(slots))).toEqual([15])
})

test('if a claim found all due webhook deliveries of an endpoint, the endpoint is claimed again only after it is marked as due', () => {
  const slots = endpointSlots()
  const one = endpoint()
  slots.markDue(one)
  const [claim] = slots.nextClaims() as [EndpointClaim]
  slots.endClaim(claim, 3)
  expect(slots.nextClaims()).toEqual([])
  slots.markDue(one)
  expect(limitsOf(slots.nextClaims())).toEqual([13])
})

test('if an endpoint is marked as due while its webhook deliveries are being claimed, they are claimed once more afterward', () => {
  const slots = endpointSlots()
  const one = endpoint()
  slots.markDue(one)
  const [claim] = slots.nextClaims() as [EndpointClaim]
  slots.markDue(one)
  slots.endClaim(claim, 0)
  expect(limitsOf(slots.nextClaims())).toEqual([16])
})

test('unresponsive endpoints together use at most half of the webhook delivery slots', () => {
  const slots = endpointSlots()
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
  for (let claims = claimAll(slots); claims.length > 0; claims = claimAll(slots))
    claimed += claims.reduce((sum, { limit }) => sum + limit, 0)
  expect(claimed).toBe(128)
  slots.markDue(endpoint())
  expect(limitsOf(claimAll(slots))).toEqual([16])
})

test('when all webhook delivery slots are in use, freed slots go to the endpoints in round-robin order', () => {
  const slots = endpointSlots()
  for (let n = 0; n < 20; n++) slots.markDue(endpoint())
  const claims = claimAll(slots)
  expect(limitsOf(claims)).toEqual(Array.from({ length: 16 }, () => 16))
  for (const { state } of claims) slots.endAttempt(state, true)
  const [next] = claimAll(slots)
  expect(claims.map(({ endpointId }) => endpointId)).not.toContain(next?.endpointId)
})
