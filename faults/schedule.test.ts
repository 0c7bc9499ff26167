import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Fault, faultNames, scheduleOf, targetOf, UPGRADE } from './schedule.ts'

const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 })
const sizes = fc.record({
  faults: fc.integer({ min: 1, max: 120 }),
  seconds: fc.integer({ min: 5, max: 300 }),
})
const endOf = ({ atMs, durationMs }: Fault) => atMs + durationMs

test('the same seed always gives the same fault schedule, but another seed gives a different one', () => {
  const size = { faults: 50, seconds: 60 }
  fc.assert(
    fc.property(seeds, seed => {
      expect(scheduleOf(seed, size)).toEqual(scheduleOf(seed, size))
    }),
  )
  expect(scheduleOf(1, size)).not.toEqual(scheduleOf(2, size))
})

test('every kind of fault is scheduled once before any kind is scheduled again', () => {
  fc.assert(
    fc.property(seeds, seed => {
      const names = scheduleOf(seed, { faults: faultNames.length * 2, seconds: 60 }).map(({ name }) => name)
      expect(names.slice(0, faultNames.length).toSorted()).toEqual(faultNames.toSorted())
      expect(names.slice(faultNames.length).toSorted()).toEqual(faultNames.toSorted())
    }),
  )
})

test('the schedule of a fault-injection round lists faults by start, and all end before the round ends', () => {
  fc.assert(
    fc.property(seeds, sizes, (seed, size) => {
      const faults = scheduleOf(seed, size)
      expect(faults).toHaveLength(size.faults)
      expect(faults.map(({ atMs }) => atMs)).toEqual(faults.map(({ atMs }) => atMs).toSorted((a, b) => a - b))
      for (const fault of faults) {
        expect(fault.durationMs).toBeGreaterThanOrEqual(0)
        expect(endOf(fault)).toBeLessThanOrEqual(size.seconds * 1_000)
      }
    }),
  )
})

test('injected faults with the same target never overlap, and neither do clock changes and provider faults', () => {
  fc.assert(
    fc.property(seeds, sizes, (seed, size) => {
      const faults = scheduleOf(seed, size)
      for (const [n, earlier] of faults.entries())
        for (const later of faults.slice(n + 1))
          if (
            targetOf(earlier.name) === targetOf(later.name) ||
            (targetOf(earlier.name) === 'provider' && later.name === 'move clock')
          )
            expect(endOf(earlier)).toBeLessThanOrEqual(later.atMs)
    }),
  )
})

test('a round with an upgrade has the same other faults as a round without an upgrade', () => {
  fc.assert(
    fc.property(seeds, sizes, (seed, size) => {
      const faults = scheduleOf(seed, { ...size, upgrades: true })
      expect(faults.filter(({ name }) => name === UPGRADE)).toHaveLength(1)
      expect(faults.filter(({ name }) => name !== UPGRADE)).toEqual(scheduleOf(seed, size))
    }),
  )
})
