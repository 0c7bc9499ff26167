import { expect, test } from 'vitest'
import { pauseAfter, type Schedule } from './retry-schedule.ts'

function pausesOf(schedule: Schedule): number[] {
  const pauses: number[] = []
  for (let pause = pauseAfter(schedule, 1); pause !== null; pause = pauseAfter(schedule, pauses.length + 1))
    pauses.push(pause)
  return pauses
}

test('a webhook with the short retry schedule is attempted at most four times, ten seconds apart', () => {
  expect(pausesOf('short')).toEqual([10_000, 10_000, 10_000])
})

test('the delays in the long retry schedule for webhooks never decrease and add up to at most three days', () => {
  const pauses = pausesOf('long')
  expect(pauses).toEqual([...pauses].sort((one, other) => one - other))
  const hours = pauses.reduce((sum, pause) => sum + pause, 0) / 3_600_000
  expect(hours).toBeGreaterThan(64)
  expect(hours).toBeLessThanOrEqual(72)
})
