import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { centsOfDecimal, isWholeRupiah, MAX_AMOUNT, toJsonNumber, toRupiah } from './money.ts'

const cents = fc.bigInt({ min: 0n, max: MAX_AMOUNT })

describe('conversions of amounts between cents, rupiah and JSON numbers are exact or fail', () => {
  test('converting an amount in cents to a JSON number is either exact or throws an error', () => {
    fc.assert(fc.property(cents, amount => void expect(BigInt(toJsonNumber(amount))).toBe(amount)))
    expect(toJsonNumber(BigInt(Number.MIN_SAFE_INTEGER))).toBe(Number.MIN_SAFE_INTEGER)
    for (const inexact of [2n ** 53n, 2n ** 53n + 1n, -(2n ** 53n), 10n ** 30n])
      expect(() => toJsonNumber(inexact)).toThrow(RangeError)
  })

  test('an amount in cents is converted to whole rupiah only if it has no fraction of a rupiah', () => {
    fc.assert(
      fc.property(cents, amount => {
        expect(isWholeRupiah(amount)).toBe(amount % 100n === 0n)
        if (isWholeRupiah(amount)) expect(toRupiah(amount) * 100n).toBe(amount)
        else expect(() => toRupiah(amount)).toThrow(RangeError)
      }),
    )
  })

  test("converting an amount to a provider's number format and back does not change it, with or without decimals", () => {
    fc.assert(
      fc.property(cents, amount => {
        const rupiah = amount / 100n
        expect(centsOfDecimal(`${rupiah}.${String(amount % 100n).padStart(2, '0')}`)).toBe(amount)
        expect(centsOfDecimal(`${rupiah}`)).toBe(rupiah * 100n)
      }),
    )
  })
})

test.each([
  '',
  ' ',
  '1.',
  '.5',
  '1.5',
  '1.005',
  '1,000.00',
  '1e5',
  '-1',
  '+1',
  '0x10',
  ' 1',
  '1\n',
  '١',
  'NaN',
  '1'.repeat(16),
])('the text %j is not read as an amount', text => {
  expect(centsOfDecimal(text)).toBeUndefined()
})

test('every amount that a provider’s number format can express can be sent as JSON', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 16n }), rupiah => {
      const amount = centsOfDecimal(`${rupiah}.99`)
      if (amount !== undefined) expect(() => toJsonNumber(amount)).not.toThrow()
    }),
  )
})
