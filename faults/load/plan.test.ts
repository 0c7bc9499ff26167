import { expect, test } from 'vitest'
import { fates, planOf } from './plan.ts'

test('the same seed always plans the same simulated customers, and every planned behavior occurs among a thousand customers', () => {
  const plans = planOf(1, { payments: 1_000, seconds: 60 })
  expect(planOf(1, { payments: 1_000, seconds: 60 })).toEqual(plans)
  expect(planOf(2, { payments: 1_000, seconds: 60 })).not.toEqual(plans)
  expect(new Set(plans.map(({ fate }) => fate))).toEqual(new Set(fates))
  expect(new Set(plans.map(({ customer }) => /gagal (\d)$/.exec(customer)?.[1]))).toEqual(
    new Set([undefined, '1', '2', '3', '9']),
  )
})

test("the fault-injection test's customers are sorted by arrival time, and all arrive before the round ends", () => {
  const times = planOf(1, { payments: 500, seconds: 20 }).map(({ atMs }) => atMs)
  expect(times).toEqual(times.toSorted((a, b) => a - b))
  expect(times.at(-1)).toBeLessThan(20_000)
})
