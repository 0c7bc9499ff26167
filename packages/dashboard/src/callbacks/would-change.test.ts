import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test('reprocessing a callback changes something if the callback matched no payment before and can now be applied', () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('reprocessing a callback changes nothing if the callback gets the same result as before', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('reprocessing a callback changes something if the callback gets another result and was not applied yet', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
