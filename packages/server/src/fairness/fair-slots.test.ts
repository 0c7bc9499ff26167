import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fairSlots } from './fair-slots.ts'

const UNBOUNDED = Number.MAX_SAFE_INTEGER

function taking(most: number, own = UNBOUNDED) {
  let now = 0
  const places = fairSlots(most, () => now)
  return {
    free: places.release,
    tryToTake: (owner: string, size = 1): boolean => places.take(owner, own, size) === undefined,
    tick(ms: number) {
      now += ms
    },
  }
}

const owners = (count: number) => Array.from({ length: count }, (_, n) => `owner ${n}`)

test('a single owner (such as a tenant) gets up to half of all slots, within its own limit', () => {
  const { tryToTake } = taking(100)
  expect(Array.from({ length: 100 }, () => tryToTake('a')).filter(Boolean)).toHaveLength(50)
  const bounded = taking(100, 7)
  expect(Array.from({ length: 100 }, () => bounded.tryToTake('a')).filter(Boolean)).toHaveLength(7)
})

test('a rejected request uses no slot, and the rejection names the exceeded limit', () => {
  const { take } = fairSlots(10)
  expect([take('a', 3, 3), take('a', 3), take('b', 10, 8), take('b', 10, 5)]).toEqual([
    undefined,
    'own',
    'all',
    undefined,
  ])
})

test('every new owner (such as a tenant) gets slots, even if earlier owners free none', () => {
  const { tryToTake } = taking(64)
  const got = owners(6).map(
    owner => Array.from({ length: 64 }, () => tryToTake(owner)).filter(Boolean).length,
  )
  expect(got).toEqual([32, 16, 8, 4, 2, 1])
})

test("after other owners' requests were rejected, an owner (such as a tenant) gets at most an equal share", () => {
  const { tryToTake, free, tick } = taking(60)
  for (const owner of ['a', 'b']) while (tryToTake(owner)) {}
  for (let n = 0; n < 30; n++) free('a')
  expect(Array.from({ length: 60 }, () => tryToTake('a')).filter(Boolean)).toHaveLength(20)
  tick(10_000)
  expect(tryToTake('a')).toBe(true)
})

test('under constant load, owners (such as tenants) get slots in proportion to their limits', () => {
  const { take, release } = fairSlots(60, () => 0)
  const bounds = { large: 30, medium: 20, small: 10 }
  const held = { large: 0, medium: 0, small: 0 }
  const names = Object.keys(bounds) as (keyof typeof bounds)[]
  for (let round = 0; round < 10; round++)
    for (const name of names) {
      for (; held[name] > 0; held[name]--) release(name)
      while (take(name, bounds[name]) === undefined) held[name]++
    }
  expect(held).toEqual({ large: 20, medium: 13, small: 6 })
})

test('an owner (such as a tenant) without a slot gets any free slot', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 64 }),
      fc.array(fc.tuple(fc.nat(9), fc.integer({ min: 1, max: 4 }), fc.nat(3_000), fc.boolean()), {
        maxLength: 300,
      }),
      (most, steps) => {
        const { tryToTake, free, tick } = taking(most)
        const held: [string, number][] = []
        for (const [n, size, ms, isTaken] of steps) {
          tick(ms)
          if (isTaken && tryToTake(`owner ${n}`, size)) held.push([`owner ${n}`, size])
          const first = isTaken ? undefined : held.shift()
          if (first) free(...first)
          const taken = held.reduce((sum, [, places]) => sum + places, 0)
          expect(taken).toBeLessThanOrEqual(most)
          expect(tryToTake('newcomer')).toBe(taken < most)
          if (taken < most) free('newcomer')
        }
      },
    ),
  )
})

/**
 * Simulates k owners (such as tenants) that compete for slots, one for each operation in flight. Every second, the
 * owners acquire as many slots as possible, always in the same order. Each slot is released after a different time. The
 * first owner starts before the others. Returns how many slots each owner had on average.
 */
function simulated(most: number, k: number, durations: number[]): number[] {
  const { tryToTake, free, tick } = taking(most)
  const names = owners(k)
  const ending = new Map<number, string[]>()
  const holds = new Map<string, number>()
  const sums = names.map(() => 0)
  let drawn = 0
  const [settling, ticks] = [400, 800]
  for (let now = 0; now < ticks; now++) {
    tick(1_000)
    for (const name of ending.get(now) ?? []) {
      free(name)
      holds.set(name, (holds.get(name) ?? 0) - 1)
    }
    for (const name of now < 50 ? names.slice(0, 1) : names)
      while (tryToTake(name)) {
        const end = now + (durations[drawn++ % durations.length] as number)
        ending.set(end, [...(ending.get(end) ?? []), name])
        holds.set(name, (holds.get(name) ?? 0) + 1)
      }
    if (now >= settling)
      for (const [n, name] of names.entries()) sums[n] = (sums[n] as number) + (holds.get(name) ?? 0)
  }
  return sums.map(sum => sum / (ticks - settling))
}

test('each of k constantly busy owners (such as tenants) gets at least 1/k of the slots that it gets alone', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 12 }),
      fc.integer({ min: 2, max: 8 }),
      fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 7, maxLength: 41 }),
      (k, timesK, durations) => {
        const most = 2 * k * timesK
        const [alone = 0] = simulated(most, 1, durations)
        expect(alone).toBe(most / 2)
        for (const share of simulated(most, k, durations)) expect(share).toBeGreaterThanOrEqual(alone / k)
      },
    ),
    { numRuns: 50 },
  )
})
