import { expect, test } from 'vitest'
import { hasFallen } from './success-rate.ts'

const of = (ended: number, share: number) => ({ ended, paid: Math.round(ended * share) })

test.each([
  ['a provider that fails half of its payments', of(100, 0.4), of(700, 0.8), true],
  ['a large number of payments whose rate falls by ten points', of(5_000, 0.84), of(35_000, 0.95), true],
  ['a rate that falls to zero', of(50, 0), of(200, 0.5), true],
  ['a rate that stays the same', of(1_000, 0.8), of(7_000, 0.8), false],
  ['a rate that rises', of(1_000, 0.9), of(7_000, 0.5), false],
  ['a certain fall of less than ten points', of(100_000, 0.75), of(700_000, 0.8), false],
  ['a fall that can be chance', of(60, 0.7), of(420, 0.85), false],
  ['fewer than 50 recent payments', of(49, 0), of(7_000, 0.9), false],
  ['fewer than 200 earlier payments', of(100, 0), of(199, 0.9), false],
  ['no payments', of(0, 0), of(0, 0), false],
])(
  "a provider account's success rate counts as fallen only after a large fall with enough payments: %s",
  (_, recent, earlier, expected) => {
    expect(hasFallen(recent, earlier)).toBe(expected)
  },
)

test('none of 50,000 comparisons of randomly varying success rates reports a falling success rate', () => {
  let state = 1
  const random = () => {
    state = (state * 48_271) % 2_147_483_647
    return state / 2_147_483_647
  }
  /**
   * Simulates how many of `ended` payments were paid. The exact distribution is binomial, and the normal
   * distribution used here approximates it well for this many payments.
   */
  const draw = (ended: number, share: number) => {
    const normal = Math.sqrt(-2 * Math.log(random())) * Math.cos(2 * Math.PI * random())
    const paid = Math.round(ended * share + normal * Math.sqrt(ended * share * (1 - share)))
    return { ended, paid: Math.min(Math.max(paid, 0), ended) }
  }
  let fallen = 0
  for (let n = 0; n < 50_000; n++) {
    const share = 0.3 + 0.65 * random()
    const ended = 50 + Math.floor(500 * random())
    if (hasFallen(draw(ended, share), draw(ended * 7, share))) fallen += 1
  }
  expect(fallen).toBeLessThan(10)
})
