import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { centsOf, rupiahOf } from './rupiah.ts'

describe('the dashboard converts a rupiah amount typed by a user to cents, or rejects it as invalid', () => {
  test.each([
    ['0', 'en', 0],
    ['25000', 'en', 2_500_000],
    ['25,000', 'en', 2_500_000],
    ['25.000', 'id', 2_500_000],
    ['25000.50', 'en', 2_500_050],
    ['1.234.567,89', 'id', 123_456_789],
    ['0,07', 'id', 7],
    [' 1000000000000 ', 'id', 100_000_000_000_000],
  ] as const)(
    'the dashboard converts the typed amount "%s" in the language %s to %d cents',
    (typed, language, cents) => expect(centsOf(typed, language)).toBe(cents),
  )

  test.each(['', '-5', '1.5', '1,5', '1.2345', '12.34.567', 'ten', '1e3', '99999999999999'])(
    'the dashboard rejects the typed amount %j as invalid in both languages',
    typed => {
      expect(centsOf(typed, 'en')).toBeUndefined()
      expect(centsOf(typed, 'id')).toBeUndefined()
    },
  )

  // Property: for every amount that the API accepts, formatting and then parsing the amount returns the same
  // amount.
  test.each(['en', 'id'] as const)(
    'an amount stays the same if it is formatted in the language %s and then parsed again',
    language => {
      fc.assert(
        fc.property(fc.integer({ min: 0, max: 100_000_000_000_000 }), cents => {
          expect(centsOf(rupiahOf(cents, language), language)).toBe(cents)
        }),
      )
    },
  )
})
