import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test("the dashboard predicts that reprocessing changes a callback's result if the callback matched no payment before and can be applied now", () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('if a callback was ignored and would be ignored again, the dashboard predicts that reprocessing the callback changes nothing', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('if reprocessing a callback would give a different result, the dashboard predicts a change, except for a callback that was already applied', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
