import { expect, test } from 'vitest'
import { dayBeside } from './day.ts'

test('the previous and the next day are correct across the ends of months and years', () => {
  expect(dayBeside('2026-11-30', 1)).toBe('2026-12-01')
  expect(dayBeside('2028-03-01', -1)).toBe('2028-02-29')
})
