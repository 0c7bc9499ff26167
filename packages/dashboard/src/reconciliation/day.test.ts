import { expect, test } from 'vitest'
import { dayBeside } from './day.ts'

test('the day before or after a date can be in another month, even at the end of February in a leap year', () => {
  expect(dayBeside('2026-11-30', 1)).toBe('2026-12-01')
  expect(dayBeside('2028-03-01', -1)).toBe('2028-02-29')
})
