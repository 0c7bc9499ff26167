import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test('the dashboard predicts a change if a callback without a payment can now be applied', () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('the dashboard predicts no change if an ignored callback would be ignored again', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('the dashboard predicts a change if reprocessing gives a different result, unless the callback was already applied', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
