import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { centsOf, rupiahOf } from './rupiah.ts'

describe('an amount typed in rupiah', () => {
  test.each([
    ['0', 0],
    ['25000', 2_500_000],
    ['25000.5', 2_500_050],
    ['25000.', 2_500_000],
    ['0.07', 7],
    ['1000000000000', 100_000_000_000_000],
  ])('is parsed: %s is %d cents', (rupiah, cents) => expect(centsOf(rupiah)).toBe(cents))

  test.each(['', '-1', '1.234', '1,5', 'ten', '99999999999999'])('is rejected if it is invalid: %j', typed =>
    expect(centsOf(typed)).toBeUndefined(),
  )

  // Property: this holds for any amount that the API accepts.
  test('stays the same amount after it is formatted and parsed again', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000_000_000 }), cents => {
        expect(centsOf(rupiahOf(cents))).toBe(cents)
      }),
    )
  })
})
