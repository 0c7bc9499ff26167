import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test('reprocessing an unmatched callback with the result “applied” would change something', () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('reprocessing a callback with the same result as before would change nothing', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('reprocessing leaves an applied callback applied, and any other new result would be a change', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
