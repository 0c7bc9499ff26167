import { expect, onTestFinished, test, vi } from 'vitest'
import { patience } from './patience.ts'

test('a recovery counts as stuck if it makes no progress for some time, but not if it is slow', () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const isStuck = patience(60)
  for (const left of [3, 2, 1]) {
    now += 60
    expect(isStuck(left)).toBe(false)
  }
  // The recovery makes progress only if the remaining work reaches a new minimum.
  for (const left of [2, 1]) {
    now += 30
    expect(isStuck(left)).toBe(false)
  }
  now += 1
  expect(isStuck(1)).toBe(true)
})
