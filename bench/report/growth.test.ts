import { expect, test } from 'vitest'
import { isMet, type Line } from '../measure.ts'
import { growthCurve, growthLines, type Measured } from './growth.ts'

function measured(payments: number, product: number, unit = '/s', rounds = [product]): Measured {
  const line: Line = { what: 'create', unit, product, rounds: { product: rounds.map(value => ({ value })) } }
  return { name: 'create', title: 'Payments created', payments, lines: [line], curves: [] }
}

const only = <T>(all: T[]): T => {
  expect(all).toHaveLength(1)
  return all[0] as T
}

test("a benchmark's growth figure is its rate on the largest data set divided by its rate on the smallest", () => {
  const sets = [measured(500_000, 950), measured(5_000_000, 900), measured(50_000, 1_000)]
  for (const given of [sets, sets.toReversed()])
    expect(only(growthLines(given))).toMatchObject({ floor: 1_000, product: 900, ratio: 0.9 })
})

test("a duration's growth figure is its value on the smallest data set divided by its value on the largest", () => {
  const found = only(growthLines([measured(50_000, 10, 'ms'), measured(5_000_000, 20, 'ms')]))
  expect(found.ratio).toBe(0.5)
})

test('a machine that is slow in some rounds does not change the growth figure', () => {
  const small = measured(50_000, 500, '/s', [1_000, 500, 100])
  const large = measured(5_000_000, 450, '/s', [900, 450, 95])
  expect(only(growthLines([small, large]))).toMatchObject({
    ratio: 0.9,
    rounds: { product: [{ value: 0.9 }, { value: 0.9 }, { value: 0.95 }] },
  })
})

test('a rate that is over 15 percent lower on the largest data set misses the growth target', () => {
  const lost = (share: number) =>
    isMet(only(growthLines([measured(50_000, 1_000), measured(5_000_000, 1_000 * (1 - share))])))
  expect([lost(0.16), lost(0.14), lost(-1)]).toEqual([false, true, true])
})

test('a benchmark that ran on only one data set has no growth figure', () => {
  expect(growthLines([measured(50_000, 1_000)])).toEqual([])
  expect(growthCurve([measured(50_000, 1_000)])).toBeUndefined()
})

test('the growth chart shows benchmarks that measure a rate, but not those that measure a duration', () => {
  const times = [50_000, 5_000_000].map(payments => {
    const { lines, ...rest } = measured(payments, 10, 'ms')
    return { ...rest, lines: lines.map(line => ({ ...line, what: 'delay' })) }
  })
  const curve = growthCurve([measured(5_000_000, 900), measured(50_000, 1_000), ...times])
  expect(curve?.series).toEqual([
    {
      name: 'create',
      points: [
        [50_000, 1_000],
        [5_000_000, 900],
      ],
    },
  ])
})
