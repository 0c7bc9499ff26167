import { expect, onTestFinished, test, vi } from 'vitest'
import { patience } from './patience.ts'

test('a recovery counts as stuck only if it makes no progress for some time; its total duration does not matter', () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const isStuck = patience(60)
  for (const left of [3, 2, 1]) {
    now += 60
    expect(isStuck(left)).toBe(false)
  }
  // A count of remaining work shows progress only if it is lower than every earlier count.
  for (const left of [2, 1]) {
    now += 30
    expect(isStuck(left)).toBe(false)
  }
  now += 1
  expect(isStuck(1)).toBe(true)
})
