import { expect, onTestFinished, test, vi } from 'vitest'
import { patience } from './patience.ts'

test('a recovery is stuck if it makes no progress for some time, however long it takes in total', () => {
  let now = 0
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
  onTestFinished(() => clock.mockRestore())
  const isStuck = patience(60)
  for (const left of [3, 2, 1]) {
    now += 60
    expect(isStuck(left)).toBe(false)
  }
  // A count is only progress if it is lower than every earlier count.
  for (const left of [2, 1]) {
    now += 30
    expect(isStuck(left)).toBe(false)
  }
  now += 1
  expect(isStuck(1)).toBe(true)
})
