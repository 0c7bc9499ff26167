// Tests which failed charges open a provider account's circuit breaker. With three or more tenants, a single
// tenant's failures never open it.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterCharge,
  type EndedCharge,
  figuresOf,
  type Health,
  MAX_TENANTS,
  MIN_CHARGES,
  newHealth,
  SLOW_MS,
  WINDOW_MS,
} from './circuit-breaker.ts'

const start = Date.UTC(2026, 10, 20)
type Ended = Omit<EndedCharge, 'startedAtMs'>
type Fate = Omit<Ended, 'tenantId'>
const good: Fate = { durationMs: 200, failed: false }
const failed: Fate = { durationMs: 200, failed: true }
const slow: Fate = { durationMs: SLOW_MS + 1, failed: false }

/** Records charges as if all of them started and ended at the time `nowMs`. */
const charged = (health: Health, charges: Ended[], nowMs: number): Health =>
  charges.reduce((before, charge) => afterCharge(before, { ...charge, startedAtMs: nowMs }, nowMs), health)
const by = (tenantId: string, fate: Fate, count = 1): Ended[] =>
  Array.from({ length: count }, () => ({ ...fate, tenantId }))
const eachOf = (count: number, fate: Fate): Ended[] =>
  Array.from({ length: count }, (_, at) => ({ ...fate, tenantId: `tenant ${at}` }))
const stateOf = ({ circuit }: Health) => circuit.state

describe("a shared account's circuit breaker opens only if half of its tenants have failed or slow charges", () => {
  const others = [...by('b', good), ...by('c', good)]

  test('the circuit breaker stays closed while fewer than half of three or more tenants have failed or slow charges', () => {
    const ofThree = charged(newHealth, [...others, ...by('a', failed, 100)], start)
    expect(stateOf(ofThree)).toBe('closed')
    expect(stateOf(charged(ofThree, by('b', failed), start))).toBe('open')
    const ofFour = charged(ofThree, by('d', good), start)
    expect(stateOf(charged(ofFour, by('b', slow), start))).toBe('open')
    const ofFive = charged(ofFour, by('e', good), start)
    expect(stateOf(charged(ofFive, by('b', slow), start))).toBe('closed')
  })

  test('the circuit breaker stays closed while fewer than half of all charges failed or were slow', () => {
    const bad = eachOf(40, failed)
    expect(stateOf(charged(newHealth, [...by('a', good, 41), ...bad], start))).toBe('closed')
    expect(stateOf(charged(newHealth, [...by('a', good, 40), ...bad], start))).toBe('open')
  })

  test("a tenant's failed charge still counts toward opening the circuit breaker, even if the tenant's next charge succeeds", () => {
    const affected = charged(newHealth, [...others, ...by('b', failed)], start)
    for (const laterMs of [0, 5_000]) {
      const followed = charged(affected, by('b', good), start + laterMs)
      expect(stateOf(charged(followed, by('a', failed, 20), start + 10_000))).toBe('open')
    }
  })

  test("each tenant counts only once toward the circuit breaker's share of failing tenants", () => {
    let health = charged(newHealth, by('c', failed), start)
    for (let at = 0; at < 50_000; at += 5_000) health = charged(health, by('b', good), start + at)
    expect(stateOf(charged(health, by('a', failed, 20), start + 50_000))).toBe('open')
  })

  test("a single tenant's failures open the circuit breaker if no other tenant charged in the last minute", () => {
    const before = charged(newHealth, others, start)
    const bad = by('a', failed, MIN_CHARGES)
    expect(stateOf(charged(before, bad, start + WINDOW_MS - 5_000))).toBe('closed')
    expect(stateOf(charged(before, bad, start + WINDOW_MS))).toBe('open')
  })

  test("a single tenant's failures do not open the circuit breaker, even with more tenants than it stores", () => {
    const many = 3 * MAX_TENANTS
    const well = charged(newHealth, eachOf(many, good), start)
    expect(well.window.map(({ tenants }) => tenants.size)).toEqual([MAX_TENANTS])
    expect(figuresOf(well, start).calls).toBe(many)
    // Tests one tenant that the circuit breaker stores, and one that it does not store, because it stores at
    // most `MAX_TENANTS` tenants.
    for (const one of ['tenant 0', `tenant ${many - 1}`])
      expect(stateOf(charged(well, by(one, failed, 2 * many), start))).toBe('closed')
    expect(stateOf(charged(well, eachOf(many, failed), start))).toBe('open')
  })
})

const someFate = fc.record({ durationMs: fc.integer({ min: 0, max: 2 * SLOW_MS }), failed: fc.boolean() })

describe('in random sequences of charges, the circuit breaker opens only if enough charges of enough tenants failed or were slow', () => {
  test("one tenant's charges never open the circuit breaker while at least two other tenants charge successfully", () => {
    const steps = fc.array(
      fc.record({
        afterMs: fc.integer({ min: 0, max: 20_000 }),
        fates: fc.array(someFate, { maxLength: 15 }),
      }),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 6 }), steps, (others, sent) => {
        let nowMs = start
        let health = charged(newHealth, eachOf(others, good), nowMs)
        let heardAtMs = nowMs
        for (const { afterMs, fates } of sent) {
          nowMs += afterMs
          // The circuit breaker counts the charges of the last minute, so each of the other tenants sends a
          // charge at least once a minute.
          if (nowMs > heardAtMs + WINDOW_MS / 2) {
            health = charged(health, eachOf(others, good), nowMs)
            heardAtMs = nowMs
          }
          for (const fate of fates) {
            health = charged(health, by('the one', fate), nowMs)
            expect(stateOf(health)).toBe('closed')
          }
        }
      }),
    )
  })

  test('after ten charges, the circuit breaker opens once half of the charges and tenants had failures or delays', () => {
    const someCharge = fc
      .tuple(fc.constantFrom('a', 'b', 'c', 'd', 'e'), someFate)
      .map(([tenantId, fate]): Ended => ({ ...fate, tenantId }))
    const isBad = ({ failed, durationMs }: Ended) => failed || durationMs > SLOW_MS
    const tenantsOf = (charges: Ended[]) => new Set(charges.map(({ tenantId }) => tenantId)).size
    function goesBadly(charges: Ended[]): boolean {
      const bad = charges.filter(isBad)
      const enough = charges.length >= MIN_CHARGES && bad.length >= charges.length / 2
      return enough && tenantsOf(bad) >= tenantsOf(charges) / 2
    }
    fc.assert(
      fc.property(fc.array(someCharge, { maxLength: 60 }), charges => {
        const opensAt = charges.findIndex((_, at) => goesBadly(charges.slice(0, at + 1)))
        let health = newHealth
        for (const [at, charge] of charges.entries()) {
          health = charged(health, [charge], start)
          expect(stateOf(health)).toBe(opensAt >= 0 && at >= opensAt ? 'open' : 'closed')
        }
      }),
      { numRuns: 300 },
    )
  })
})
