import { expect, test } from 'vitest'
import { wouldChange } from './would-change.ts'

test('what would be applied now changes its payment', () => {
  expect(wouldChange('unmatched', 'applied')).toBe(true)
})

test('what would end as it did changes nothing', () => {
  expect(wouldChange('ignored', 'ignored')).toBe(false)
})

test('what was applied stays so, and what ends otherwise than before is written down', () => {
  expect(wouldChange('applied', 'repeated')).toBe(false)
  expect(wouldChange('unmatched', 'repeated')).toBe(true)
})
