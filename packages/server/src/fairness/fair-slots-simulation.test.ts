// Simulates a process with a limited number of slots, each of which is used by one request in flight. The
// tests measure how many slots a busy tenant gets while other tenants send bursts of requests and providers
// do not respond.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { randomRuns } from '../../test/support/random-runs.ts'
import { fairSlots } from './fair-slots.ts'

const TICK_MS = 100
const TICKS = 2_000
const LONGEST_TICKS = 100
/**
 * The tick (unit of simulated time) at which measuring starts. By then, all tenants are active, and earlier
 * requests have ended.
 */
const SETTLED = 2 * LONGEST_TICKS

type Tenant = {
  own: number
  /**
   * How long each of the tenant's successive requests takes, in ticks (units of simulated time). After the last value,
   * the list repeats. A long duration simulates an unresponsive provider.
   */
  serviceTicks: number[]
  /**
   * How often the tenant sends requests. With 'always', it sends requests in every tick until one is
   * rejected. Otherwise, it sends `count` requests every `everyTicks` ticks.
   */
  asks: 'always' | { everyTicks: number; count: number }
}

type Outcome = { leastHeld: number; served: number }

/**
 * Simulates a process that receives the tenants' requests. The order in which the tenants send requests
 * changes from tick to tick.
 */
function simulated(most: number, tenants: Tenant[], order: number[]): Outcome[] {
  let now = 0
  const places = fairSlots(most, () => now * TICK_MS)
  const ending = Array.from({ length: TICKS + LONGEST_TICKS }, (): number[] => [])
  const states = tenants.map(() => ({
    held: 0,
    begun: 0,
    leastHeld: Number.POSITIVE_INFINITY,
    served: 0,
  }))
  const state = (n: number) => states[n] as (typeof states)[number]

  function begin(n: number, { own, serviceTicks }: Tenant): boolean {
    if (places.take(`tenant ${n}`, own)) return false
    const ticks = serviceTicks[state(n).begun++ % serviceTicks.length] as number
    state(n).held++
    ending[now + ticks]?.push(n)
    return true
  }

  for (; now < TICKS; now++) {
    for (const n of ending[now] ?? []) {
      places.release(`tenant ${n}`)
      state(n).held--
      if (now >= SETTLED) state(n).served++
    }
    for (let turn = 0; turn < tenants.length; turn++) {
      const n = (turn + (order[now % order.length] as number)) % tenants.length
      const tenant = tenants[n] as Tenant
      const { asks } = tenant
      let wanted = asks === 'always' ? most : now % asks.everyTicks === 0 ? asks.count : 0
      while (wanted-- > 0 && begin(n, tenant)) {}
    }
    if (now < SETTLED) continue
    for (const each of states) each.leastHeld = Math.min(each.leastHeld, each.held)
  }
  return states
}

const ticks = fc.integer({ min: 1, max: LONGEST_TICKS })
const asks = fc.oneof(
  fc.constant('always' as const),
  fc.record({ everyTicks: fc.integer({ min: 1, max: 300 }), count: fc.integer({ min: 1, max: 128 }) }),
)
const order = fc.oneof(fc.tuple(fc.constant(0)), fc.array(fc.nat(9), { minLength: 1, maxLength: 7 }))

/**
 * Generates random input for a simulation: a process, its tenants, and the order in which these tenants send
 * requests.
 */
const processes = (serviceTicks: fc.Arbitrary<number[]>) =>
  fc.integer({ min: 2, max: 64 }).chain(half =>
    fc.tuple(
      fc.constant(2 * half),
      fc.array(fc.record({ own: fc.integer({ min: 1, max: half }), serviceTicks, asks }), {
        minLength: 2,
        maxLength: 10,
      }),
      order,
    ),
  )

/**
 * An example in which all slots (places for concurrent requests) become free at the same time, and the same tenant
 * always sends the first request.
 */
const sameOrder: [number, Tenant[], number[]] = [
  128,
  Array.from({ length: 10 }, () => ({ own: 64, serviceTicks: [1], asks: 'always' })),
  [0],
]

const mixed = fc.array(ticks, { minLength: 1, maxLength: 11 })

test('each of k constantly busy tenants can use at least 1/k of its own concurrency limit', () => {
  fc.assert(
    fc.property(processes(mixed), ([most, tenants, order]) => {
      const outcomes = simulated(most, tenants, order)
      for (const [n, { own, asks }] of tenants.entries())
        if (asks === 'always')
          expect(outcomes[n]?.leastHeld).toBeGreaterThanOrEqual(Math.floor(own / tenants.length))
    }),
    { numRuns: randomRuns(300), examples: [[sameOrder]] },
  )
})

test('each of k constantly busy tenants gets at least 1/k of the throughput that it has alone', () => {
  fc.assert(
    fc.property(processes(fc.tuple(ticks)), ([most, tenants, order]) => {
      const outcomes = simulated(most, tenants, order)
      for (const [n, tenant] of tenants.entries()) {
        if (tenant.asks !== 'always') continue
        const [alone] = simulated(most, [tenant], order) as [Outcome]
        expect(alone.leastHeld).toBe(tenant.own)
        const placesOfShare = Math.floor(tenant.own / tenants.length)
        // `tenant.own` is subtracted as a tolerance. A request in flight at the start or end of the measurement may
        // count in only one of the two simulations: with or without the other tenants.
        const expected = (alone.served / tenant.own) * placesOfShare - tenant.own
        expect(outcomes[n]?.served).toBeGreaterThanOrEqual(expected)
      }
    }),
    { numRuns: randomRuns(200) },
  )
})
