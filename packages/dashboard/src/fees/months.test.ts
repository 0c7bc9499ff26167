import { expect, test } from 'vitest'
import { isMonth, monthsUntil } from './months.ts'

test('a user can select the fee statement of the current month or one of the previous 23 months', () => {
  const months = monthsUntil('2026-01-31')
  expect(months.slice(0, 3)).toEqual(['2026-01', '2025-12', '2025-11'])
  expect(months).toHaveLength(24)
})

test('only a valid month in the URL selects a monthly fee statement', () => {
  expect(['2026-11', '2026-13', '2026-1', undefined].map(isMonth)).toEqual([true, false, false, false])
})
