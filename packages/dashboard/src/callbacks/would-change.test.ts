import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test('reprocessing that would apply a callback changes its payment', () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('reprocessing with the same result changes nothing', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('an applied callback stays applied, and any other new result is stored', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
