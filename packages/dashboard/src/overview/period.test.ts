import { expect, test } from 'vitest'
import { daysOf, periodOf } from './period.ts'

const today = '2026-11-22'

test('the period is the last 30 days including today by default', () => {
  const period = periodOf({}, today)
  expect(period).toEqual({ from: '2026-10-24', to: today })
  expect(daysOf(period)).toHaveLength(30)
})

test('an unknown number of days or an invalid date is ignored', () => {
  expect(periodOf({ days: '12', from: '0202-11-01' }, today)).toEqual(periodOf({}, today))
})

test('two chosen days are used as given, even across months', () => {
  expect(daysOf(periodOf({ from: '2026-02-27', to: '2026-03-02' }, today))).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ])
})

test('a missing end is today, and a missing start is 30 days before the end', () => {
  expect(periodOf({ from: '2026-11-20' }, today)).toEqual({ from: '2026-11-20', to: today })
  expect(periodOf({ to: '2026-11-20' }, today)).toEqual({ from: '2026-10-22', to: '2026-11-20' })
})

test('two days in the wrong order are swapped', () => {
  const period = { from: '2026-11-10', to: '2026-11-20' }
  expect(periodOf({ from: '2026-11-20', to: '2026-11-10' }, today)).toEqual(period)
  expect(periodOf({ from: '2026-11-30' }, today)).toEqual({ from: today, to: '2026-11-30' })
})
