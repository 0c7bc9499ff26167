import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterCharge,
  afterProbe,
  type EndedCharge,
  FIRST_PAUSE_MS,
  figuresOf,
  type Health,
  isProbeDue,
  LONGEST_PAUSE_MS,
  MIN_CHARGES,
  newHealth,
  type ProbeResult,
  SLOW_MS,
  TRIAL_MS,
  takeTrial,
  WINDOW_MS,
} from './circuit-breaker.ts'

const start = Date.UTC(2026, 10, 20)
const good = { durationMs: 200, failed: false }
const failed = { durationMs: 200, failed: true }
const slow = { durationMs: SLOW_MS + 1, failed: false }

/** Records charges for one tenant. They all start and end at the same time. */
const charged = (
  health: Health,
  charges: Pick<EndedCharge, 'durationMs' | 'failed'>[],
  nowMs: number,
): Health =>
  charges.reduce(
    (before, charge) => afterCharge(before, { tenantId: 'a', ...charge, startedAtMs: nowMs }, nowMs),
    health,
  )
const times = <T>(count: number, charge: T): T[] => Array.from({ length: count }, () => charge)
const stateOf = ({ circuit }: Health) => circuit.state
const opened = charged(newHealth, times(MIN_CHARGES, failed), start)

/**
 * Makes probes fail until the circuit breaker's pause between probes has grown to `pauseMs`. A probe is an inquiry that
 * tests whether the provider responds.
 */
function openFor(pauseMs: number): { health: Health; nowMs: number } {
  let health = opened
  let nowMs = start
  while (health.circuit.pauseMs !== pauseMs) {
    nowMs += health.circuit.pauseMs ?? 0
    health = afterProbe(health, 'failing', nowMs)
  }
  return { health, nowMs }
}

describe("a provider account's circuit breaker opens if charges fail or are slow, and closes after a successful probe", () => {
  test.each([
    ['half of the charges failed', [...times(5, good), ...times(5, failed)]],
    ['half of the charges were slow', [...times(5, good), ...times(5, slow)]],
    ['half of the charges failed or were slow', [...times(5, good), ...times(3, slow), ...times(2, failed)]],
  ])('the circuit breaker of an account opens at the tenth charge, and not earlier, if %s', (_, charges) => {
    expect(stateOf(charged(newHealth, charges.slice(1), start))).toBe('closed')
    expect(charged(newHealth, charges, start).circuit).toEqual({
      state: 'open',
      sinceMs: start,
      pauseMs: FIRST_PAUSE_MS,
    })
  })

  test('the circuit breaker stays closed if fewer than half of the charges failed or were slow', () => {
    expect(stateOf(charged(newHealth, [...times(6, good), ...times(5, failed)], start))).toBe('closed')
    const both = { durationMs: SLOW_MS + 1, failed: true }
    expect(stateOf(charged(newHealth, [...times(7, good), ...times(4, both)], start))).toBe('closed')
  })

  test('a charge counts as slow only if its duration exceeds the limit for slow charges', () => {
    const longest = { durationMs: SLOW_MS, failed: false }
    expect(stateOf(charged(newHealth, times(MIN_CHARGES, longest), start))).toBe('closed')
  })

  test('only charges from the last minute can open the circuit breaker', () => {
    const old = charged(newHealth, times(MIN_CHARGES - 1, failed), start)
    expect(stateOf(charged(old, [failed], start + WINDOW_MS))).toBe('closed')
    expect(stateOf(charged(old, [failed], start + WINDOW_MS - 5_000))).toBe('open')
  })

  test('after the system clock is set back, the circuit breaker opens after the usual number of new failed charges', () => {
    const ahead = charged(newHealth, times(MIN_CHARGES - 1, failed), start + 3_600_000)
    expect(stateOf(charged(ahead, [failed], start))).toBe('closed')
    expect(stateOf(charged(ahead, times(MIN_CHARGES, failed), start))).toBe('open')
  })
})

describe('an open circuit breaker is probed after a pause and closes when the provider responds', () => {
  test("the account of an open circuit breaker is probed only after the circuit breaker's pause has ended", () => {
    expect(isProbeDue(opened, start)).toBe(false)
    expect(isProbeDue(opened, start + FIRST_PAUSE_MS - 1)).toBe(false)
    expect(isProbeDue(opened, start + FIRST_PAUSE_MS)).toBe(true)
    expect(isProbeDue(newHealth, start)).toBe(false)
  })

  test('an open circuit breaker is probed immediately if the system clock is set back', () =>
    expect(isProbeDue(opened, start - 3_600_000)).toBe(true))

  test('successful charges are counted while a circuit breaker is open, but they never close it', () => {
    const after = charged(opened, times(100, good), start + 1)
    expect(after.circuit).toEqual(opened.circuit)
    expect(figuresOf(after, start + 1)).toMatchObject({ calls: 110, failures: 10 })
    expect(takeTrial(opened, start + FIRST_PAUSE_MS)).toBeUndefined()
  })

  test("a charge in flight when the circuit breaker opens still counts in the account's figures", () => {
    const after = afterCharge(opened, { tenantId: 'a', ...failed, startedAtMs: start - 1 }, start + 1)
    expect(figuresOf(after, start + 1)).toMatchObject({ calls: 11, failures: 11 })
  })

  test('the circuit breaker closes when the provider responds to a probe', () => {
    const closed = afterProbe(opened, 'healthy', start + FIRST_PAUSE_MS)
    expect(closed.circuit).toMatchObject({ state: 'closed', sinceMs: start + FIRST_PAUSE_MS })
    expect(figuresOf(closed, start + FIRST_PAUSE_MS).calls).toBe(0)
    // The closed circuit breaker opens again only after ten more failed charges.
    expect(stateOf(charged(closed, times(MIN_CHARGES - 1, failed), start + FIRST_PAUSE_MS))).toBe('closed')
  })

  test('failed charges that started before the circuit breaker closed do not reopen the circuit breaker', () => {
    const closed = afterProbe(opened, 'healthy', start + FIRST_PAUSE_MS)
    const straggler = { tenantId: 'a', ...failed, startedAtMs: start }
    const after = times(50, straggler).reduce(
      (health, charge) => afterCharge(health, charge, start + FIRST_PAUSE_MS + 1),
      closed,
    )
    expect(after).toEqual(closed)
  })

  test('after the circuit breaker has closed, failed charges can open it again even if the system clock was set back', () => {
    const closed = afterProbe(opened, 'healthy', start + FIRST_PAUSE_MS)
    expect(stateOf(charged(closed, times(MIN_CHARGES, failed), start - 3_600_000))).toBe('open')
  })

  test("each failed probe doubles the circuit breaker's pause, up to two minutes", () => {
    let health = opened
    let nowMs = start
    const pauses: (number | null)[] = []
    while (health.circuit.state === 'open') {
      pauses.push(health.circuit.pauseMs)
      nowMs += health.circuit.pauseMs
      health = afterProbe(health, 'failing', nowMs)
    }
    expect(pauses).toEqual([10_000, 20_000, 40_000, 80_000, 120_000])
  })

  test('if the circuit breaker opens again soon after a probe closed it, the pause until its next probe is doubled', () => {
    const closedAt = start + FIRST_PAUSE_MS
    const closed = afterProbe(opened, 'healthy', closedAt)
    const again = (nowMs: number) => charged(closed, times(MIN_CHARGES, failed), nowMs).circuit.pauseMs
    expect(again(closedAt + 1)).toBe(2 * FIRST_PAUSE_MS)
    expect(again(closedAt + LONGEST_PAUSE_MS)).toBe(2 * FIRST_PAUSE_MS)
    expect(again(closedAt + LONGEST_PAUSE_MS + 1)).toBe(FIRST_PAUSE_MS)
  })

  test("if a probe ends after the circuit breaker has closed, the probe's result is ignored", () => {
    const closed = afterProbe(opened, 'healthy', start + FIRST_PAUSE_MS)
    for (const late of ['healthy', 'failing', 'not_sent'] as const)
      expect(afterProbe(closed, late, start + FIRST_PAUSE_MS + 1)).toEqual(closed)
  })
})

describe('a half-open circuit breaker allows one trial charge at a time', () => {
  const at = start + FIRST_PAUSE_MS
  const halfOpen = afterProbe(opened, 'not_sent', at)

  test('a circuit breaker becomes half-open if probes are impossible or fail even after the longest pause', () => {
    expect(stateOf(halfOpen)).toBe('half_open')
    const { health, nowMs } = openFor(LONGEST_PAUSE_MS)
    expect(stateOf(afterProbe(health, 'failing', nowMs + LONGEST_PAUSE_MS))).toBe('half_open')
    expect(isProbeDue(halfOpen, at + 3_600_000)).toBe(false)
  })

  test("a half-open circuit breaker allows a second trial charge only after the first charge's time limit", () => {
    const taken = takeTrial(halfOpen, at)
    expect(taken).toBeDefined()
    expect(takeTrial(taken as Health, at)).toBeUndefined()
    expect(takeTrial(taken as Health, at + TRIAL_MS - 1)).toBeUndefined()
    expect(takeTrial(taken as Health, at + TRIAL_MS)).toBeDefined()
    expect(takeTrial(taken as Health, at - 1)).toBeDefined()
  })

  test('a half-open circuit breaker closes if the trial charge succeeds; otherwise, it reopens for twice the previous pause', () => {
    expect(stateOf(charged(halfOpen, [good], at))).toBe('closed')
    for (const bad of [failed, slow])
      expect(charged(halfOpen, [bad], at).circuit).toEqual({
        state: 'open',
        sinceMs: at,
        pauseMs: 2 * FIRST_PAUSE_MS,
      })
  })

  test('a half-open circuit breaker ignores charges that started before it became half-open', () => {
    for (const charge of [good, failed])
      expect(afterCharge(halfOpen, { tenantId: 'a', ...charge, startedAtMs: at - 1 }, at + 1)).toEqual(
        halfOpen,
      )
  })
})

const someCharge = fc.record({
  durationMs: fc.oneof(fc.integer({ min: 0, max: 4_000 }), fc.integer({ min: 4_000, max: 40_000 })),
  failed: fc.boolean(),
})

describe("in any sequence of charges, a provider account's circuit breaker opens only after enough failed or slow charges", () => {
  test("a provider account's circuit breaker never opens with fewer charges than the minimum", () => {
    fc.assert(
      fc.property(fc.array(someCharge, { maxLength: MIN_CHARGES - 1 }), charges => {
        expect(stateOf(charged(newHealth, charges, start))).toBe('closed')
      }),
    )
  })

  test("a provider account's circuit breaker stays closed if all charges are fast and successful", () => {
    const goodCharge = fc.record({
      durationMs: fc.integer({ min: 0, max: SLOW_MS }),
      failed: fc.constant(false),
      afterMs: fc.integer({ min: 0, max: 20_000 }),
    })
    fc.assert(
      fc.property(fc.array(goodCharge, { maxLength: 60 }), charges => {
        let nowMs = start
        let health = newHealth
        for (const { afterMs, ...charge } of charges) {
          nowMs += afterMs
          health = charged(health, [charge], nowMs)
          expect(stateOf(health)).toBe('closed')
        }
      }),
    )
  })

  test('the circuit breaker opens, pauses, and then allows only one trial charge at a time', () => {
    const step = fc.oneof(
      { weight: 6, arbitrary: someCharge.map(charge => ({ type: 'charge' as const, charge })) },
      fc
        .constantFrom<ProbeResult>('healthy', 'failing', 'not_sent')
        .map(probed => ({ type: 'probe' as const, probed })),
      fc.constant({ type: 'trial' as const }),
      fc.integer({ min: 1, max: 60_000 }).map(ms => ({ type: 'wait' as const, ms })),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), steps => {
        let nowMs = start
        let health = newHealth
        let trialAtMs = Number.NEGATIVE_INFINITY
        for (const next of steps) {
          const before = health
          if (next.type === 'wait') nowMs += next.ms
          else if (next.type === 'charge') health = charged(health, [next.charge], nowMs)
          else if (next.type === 'probe' && isProbeDue(health, nowMs))
            health = afterProbe(health, next.probed, nowMs)
          else if (next.type === 'trial') {
            const taken = takeTrial(health, nowMs)
            if (taken && health.circuit.sinceMs !== null && trialAtMs >= health.circuit.sinceMs)
              expect(nowMs - trialAtMs).toBeGreaterThanOrEqual(TRIAL_MS)
            if (taken) trialAtMs = nowMs
            health = taken ?? health
          }
          const { circuit } = health
          if (circuit.state === 'open' && before.circuit.state === 'closed')
            expect(figuresOf(health, nowMs).calls).toBeGreaterThanOrEqual(MIN_CHARGES)
          if (before.circuit.state === 'open' && circuit !== before.circuit)
            expect(nowMs - before.circuit.sinceMs).toBeGreaterThanOrEqual(before.circuit.pauseMs)
          if (circuit.state === 'open') {
            expect(circuit.pauseMs).toBeGreaterThanOrEqual(FIRST_PAUSE_MS)
            expect(circuit.pauseMs).toBeLessThanOrEqual(LONGEST_PAUSE_MS)
          }
        }
      }),
      { numRuns: 300 },
    )
  })

  test('a reported latency percentile is at least the exact percentile and at most 10% higher', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ min: 1, max: 35_000, noNaN: true }), { minLength: 1, maxLength: 80 }),
        durations => {
          const health = charged(
            newHealth,
            durations.map(durationMs => ({ durationMs, failed: false })),
            start,
          )
          const sorted = durations.toSorted((a, b) => a - b)
          const { p50Ms, p95Ms } = figuresOf(health, start)
          for (const [share, told] of [
            [0.5, p50Ms],
            [0.95, p95Ms],
          ] as const) {
            const exact = sorted[Math.ceil(share * sorted.length) - 1] as number
            expect(told).toBeGreaterThanOrEqual(exact)
            expect(told).toBeLessThanOrEqual(Math.ceil(1.1 * exact))
          }
        },
      ),
    )
  })
})

test("a provider account's health figures cover only the last minute", () => {
  const health = charged(newHealth, [good, failed, slow], start)
  expect(figuresOf(health, start)).toMatchObject({ calls: 3, failures: 1, slow: 1 })
  expect(figuresOf(health, start + WINDOW_MS)).toEqual({
    calls: 0,
    failures: 0,
    slow: 0,
    p50Ms: null,
    p95Ms: null,
  })
})
