import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test('the dashboard predicts a change if a callback that matched no payment can now be applied', () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('the dashboard predicts no change if reprocessing ignores a callback that was ignored before', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('the dashboard predicts a change if a callback that was not applied gets another result, but not if it was already applied', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
