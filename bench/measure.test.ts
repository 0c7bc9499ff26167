import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Figure, inTurn, isMet, type Line, median, repeated } from './measure.ts'
import type { Turn } from './turns.ts'

const progress = () => {}
const turn: Turn = run => run()

/** Returns a function that returns the next value in the list on each call. */
function giving(values: number[]): () => Promise<Figure> {
  const left = [...values]
  return async () => ({ value: left.shift() as number })
}

const compare = (floor: number[], product: number[]) =>
  inTurn({ rounds: floor.length, progress, turn }, { floor: giving(floor), product: giving(product) })

describe('each benchmark round runs the service and its reference program and compares the results', () => {
  test('the program that runs second in one benchmark round runs first in the next round', async () => {
    const order: string[] = []
    const side = (name: string) => async () => {
      order.push(name)
      return { value: 1 }
    }
    await inTurn({ rounds: 3, progress, turn }, { floor: side('floor'), product: side('product') })
    expect(order).toEqual(['floor', 'product', 'product', 'floor', 'floor', 'product'])
  })

  test('a measurement round never runs the service and the reference program at the same time', async () => {
    let running = 0
    const side = async () => {
      running += 1
      await new Promise(resolve => setImmediate(resolve))
      const value = running
      running -= 1
      return { value }
    }
    const { rounds } = await inTurn({ rounds: 4, progress, turn }, { floor: side, product: side })
    expect([...rounds.floor, ...rounds.product].map(({ value }) => value)).toEqual(Array(8).fill(1))
  })

  test("a benchmark's result is the median of its rounds' ratios", async () => {
    const found = await compare([100, 10, 1_000], [50, 6, 900])
    expect(found).toMatchObject({ floor: 100, product: 50, ratio: 0.6 })
  })

  test("a benchmark's ratio does not change if the machine slows both programs in some rounds", async () => {
    const slowness = [1, 0.2, 0.5, 1, 0.1]
    const { ratio } = await compare(
      slowness.map(share => 1_000 * share),
      slowness.map(share => 800 * share),
    )
    expect(ratio).toBeCloseTo(0.8)
  })

  test('a measurement returns all rounds in order, and reports each round when it ends', async () => {
    const told: string[] = []
    const { rounds } = await inTurn(
      { rounds: 2, progress: line => void told.push(line), turn },
      { floor: giving([100, 200]), product: giving([150, 250]) },
    )
    expect(rounds).toEqual({
      floor: [{ value: 100 }, { value: 200 }],
      product: [{ value: 150 }, { value: 250 }],
    })
    expect(told).toEqual([
      'round 1: reference program (floor) 100, service (product) 150',
      'round 2: reference program (floor) 200, service (product) 250',
    ])
  })

  test('if the service or the reference program fails, the measurement throws and returns no result', async () => {
    const failing = () => Promise.reject(new Error('it met a 500'))
    await expect(
      inTurn({ rounds: 3, progress, turn }, { floor: giving([1, 1, 1]), product: failing }),
    ).rejects.toThrow('it met a 500')
  })
})

test('if a benchmark measures the service alone, its result is the median of its rounds', async () => {
  const found = await repeated({ rounds: 3, progress, turn }, giving([900, 300, 400]))
  expect(found).toEqual({
    product: 400,
    rounds: { product: [{ value: 900 }, { value: 300 }, { value: 400 }] },
  })
})

describe("a benchmark's result is the median of its rounds", () => {
  test('for an even number of rounds, the median is the mean of the two middle values', () => {
    expect(median([4, 1, 10, 2])).toBe(3)
  })

  test('if there are no rounds, the median is NaN', () => {
    expect(median([])).toBeNaN()
  })

  test('if fewer than half of the rounds are wrong, the median lies between correct values', () => {
    const rates = fc.array(fc.integer({ min: 900, max: 1_100 }), { minLength: 3, maxLength: 9 })
    const wrong = fc.array(fc.double({ min: 0, max: 1e9, noNaN: true }), { maxLength: 8 })
    fc.assert(
      fc.property(rates, wrong, (right, wrong) => {
        const found = median([...wrong.slice(0, right.length - 1), ...right])
        expect(found).toBeGreaterThanOrEqual(Math.min(...right))
        expect(found).toBeLessThanOrEqual(Math.max(...right))
      }),
    )
  })
})

describe('the target of a measurement', () => {
  const line = (given: Partial<Line>): Line => ({
    what: 'get by id',
    unit: '/s',
    product: 500,
    rounds: { product: [] },
    ...given,
  })

  test("with a reference program, a benchmark's target applies to the service's result divided by the reference's", () => {
    expect(isMet(line({ floor: 1_000, ratio: 0.5, bound: { atLeast: 0.7 } }))).toBe(false)
    expect(isMet(line({ floor: 1_000, ratio: 0.8, bound: { atLeast: 0.7 } }))).toBe(true)
    expect(isMet(line({ floor: 1_000, ratio: 1.4, bound: { atMost: 1.3 } }))).toBe(false)
  })

  test('if the service is not compared with a reference program, the target applies to the measured value itself', () => {
    expect(isMet(line({ bound: { atMost: 250 } }))).toBe(false)
    expect(isMet(line({ product: 249, bound: { atMost: 250 } }))).toBe(true)
  })

  test('a measured value that equals its target meets the target', () => {
    expect(isMet(line({ ratio: 0.7, bound: { atLeast: 0.7 } }))).toBe(true)
    expect(isMet(line({ ratio: 1.3, bound: { atMost: 1.3 } }))).toBe(true)
  })

  test('a measured value that is NaN does not meet its target', () => {
    expect(isMet(line({ ratio: Number.NaN, bound: { atLeast: 0.7 } }))).toBe(false)
    expect(isMet(line({ product: Number.NaN, bound: { atMost: 60 } }))).toBe(false)
  })

  test('a measurement without a target is not reported as met or missed', () => {
    expect(isMet(line({ ratio: 0.1 }))).toBeUndefined()
  })
})
