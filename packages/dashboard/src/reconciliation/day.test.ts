import { expect, test } from 'vitest'
import { dayBeside } from './day.ts'

test('the days before and after a given day are correct at the end of a month or year', () => {
  expect(dayBeside('2026-11-30', 1)).toBe('2026-12-01')
  expect(dayBeside('2028-03-01', -1)).toBe('2028-02-29')
})
