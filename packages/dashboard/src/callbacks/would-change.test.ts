import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test('reprocessing an unmatched callback with the result “applied” would change something', () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('reprocessing a callback with the same result as before would change nothing', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('reprocessing with a new result other than “applied” would change a callback only if it is not applied yet', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
