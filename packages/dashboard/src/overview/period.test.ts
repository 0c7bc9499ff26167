import { expect, test } from 'vitest'
import { daysOf, periodOf } from './period.ts'

const today = '2026-11-22'

test('by default, the overview covers the last 30 days including today', () => {
  const period = periodOf({}, today)
  expect(period).toEqual({ from: '2026-10-24', to: today })
  expect(daysOf(period)).toHaveLength(30)
})

test('the overview ignores an invalid date and an unsupported number of days', () => {
  expect(periodOf({ days: '12', from: '0202-11-01' }, today)).toEqual(periodOf({}, today))
})

test('the overview covers all days between two dates, even in different months', () => {
  expect(daysOf(periodOf({ from: '2026-02-27', to: '2026-03-02' }, today))).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ])
})

test('on the overview, a period ends today by default, and covers 30 days if it has no start', () => {
  expect(periodOf({ from: '2026-11-20' }, today)).toEqual({ from: '2026-11-20', to: today })
  expect(periodOf({ to: '2026-11-20' }, today)).toEqual({ from: '2026-10-22', to: '2026-11-20' })
})

test('if the two dates of a period are in the wrong order, the overview swaps them', () => {
  const period = { from: '2026-11-10', to: '2026-11-20' }
  expect(periodOf({ from: '2026-11-20', to: '2026-11-10' }, today)).toEqual(period)
  expect(periodOf({ from: '2026-11-30' }, today)).toEqual({ from: today, to: '2026-11-30' })
})
