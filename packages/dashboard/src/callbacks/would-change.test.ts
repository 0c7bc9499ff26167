import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test('the dashboard shows that reprocessing would change something if a callback that matched no payment can now be applied', () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('the dashboard shows that reprocessing would change nothing if the callback would get the same result as before', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('the dashboard shows that reprocessing would change something if the callback would get another result, except if the callback was already applied', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
