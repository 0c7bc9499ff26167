import { expect, test } from 'vitest'
import { isDay } from '../format/day.ts'
import { knownFilters } from './known-filters.ts'

const known = { status: ['paid', 'failed'], from: isDay }

test("a filter in a list's URL is kept if its value is valid or if it allows free text", () => {
  const filters = { q: 'Budi', status: 'paid', from: '2026-11-22' }
  expect(knownFilters(filters, known)).toEqual(filters)
})

test('a table does not treat the mode and the sort order in its URL as filters', () => {
  expect(knownFilters({ status: 'paid', mode: 'test', order: 'oldest' }, known)).toEqual({ status: 'paid' })
})

test('a table filter with an invalid value is ignored', () => {
  expect(knownFilters({ q: 'Budi', status: 'nonsense', from: '2026-13-45' }, known)).toEqual({ q: 'Budi' })
})
