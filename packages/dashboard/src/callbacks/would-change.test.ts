import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test('the dashboard predicts a change if a callback matched no payment before but can now be applied', () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('the dashboard predicts no change if a callback is ignored again', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('the dashboard predicts a change if an unapplied callback gets another result', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
