import { expect, test } from 'vitest'
import { isTooSlow } from './arriving-body.ts'

const afterMs = (ms: number, received: number, expected: number) =>
  isTooSlow({ received, expected, ticks: ms / 250 })

test.each([
  [1_750, 0, 100, false],
  [2_000, 0, 100, true],
  [2_000, 1, 100, false],
  [4_000, 24, 100, true],
  [4_000, 25, 100, false],
  [9_750, 99, 100, false],
  [10_000, 100, 100, true],
])('a body counts as too slow after %i ms with %i of %i bytes: %s', (ms, received, expected, slow) => {
  expect(afterMs(ms, received, expected)).toBe(slow)
})
