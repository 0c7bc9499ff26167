import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test('the dashboard expects a change if reprocessing an unmatched callback has the result “applied”', () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('the dashboard expects no change if reprocessing a callback has the same result as before', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('for any other result of reprocessing a callback, the dashboard expects a change only if the callback was not applied before', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
