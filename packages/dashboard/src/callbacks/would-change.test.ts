import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test("the dashboard predicts that reprocessing changes a callback's result if the callback matched no payment before and can be applied now", () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('if a callback was ignored and would be ignored again, the dashboard predicts that reprocessing the callback changes nothing', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('before a callback is reprocessed, the dashboard predicts a change if the result differs from the stored one, but not for a callback already applied', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
