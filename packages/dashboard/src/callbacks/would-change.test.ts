import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test('the dashboard predicts a change if reprocessing a callback that matched no payment would have the result “applied”', () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('the dashboard predicts no change if reprocessing a callback would have the same result as before', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('the dashboard predicts a change if reprocessing a callback would have another new result, unless the callback was applied before', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
