import { expect, onTestFinished, test, vi } from 'vitest'
import { patience } from './patience.ts'

test('a recovery counts as stuck only if it makes no progress for some time, however slow', () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const isStuck = patience(60)
  for (const left of [3, 2, 1]) {
    now += 60
    expect(isStuck(left)).toBe(false)
  }
  // Only a new minimum of remaining work counts as progress of the recovery.
  for (const left of [2, 1]) {
    now += 30
    expect(isStuck(left)).toBe(false)
  }
  now += 1
  expect(isStuck(1)).toBe(true)
})
