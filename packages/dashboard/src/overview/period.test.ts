import { expect, test } from 'vitest'
import { daysOf, periodOf } from './period.ts'

const today = '2026-11-22'

test('the last 30 days, today among them, where nothing is chosen', () => {
  const period = periodOf({}, today)
  expect(period).toEqual({ from: '2026-10-24', to: today })
  expect(daysOf(period)).toHaveLength(30)
})

test('a number of days that is not offered, and a day that is none, count as nothing', () => {
  expect(periodOf({ days: '12', from: '0202-11-01' }, today)).toEqual(periodOf({}, today))
})

test('two chosen days are taken as they are, over the end of a month', () => {
  expect(daysOf(periodOf({ from: '2026-02-27', to: '2026-03-02' }, today))).toEqual([
    '2026-02-27',
    '2026-02-28',
    '2026-03-01',
    '2026-03-02',
  ])
})

test('without its other end a chosen period reaches to today, or 30 days back', () => {
  expect(periodOf({ from: '2026-11-20' }, today)).toEqual({ from: '2026-11-20', to: today })
  expect(periodOf({ to: '2026-11-20' }, today)).toEqual({ from: '2026-10-22', to: '2026-11-20' })
})

test('two days in the wrong order are taken in the right one', () => {
  const period = { from: '2026-11-10', to: '2026-11-20' }
  expect(periodOf({ from: '2026-11-20', to: '2026-11-10' }, today)).toEqual(period)
  expect(periodOf({ from: '2026-11-30' }, today)).toEqual({ from: today, to: '2026-11-30' })
})
