import { expect, test } from 'vitest'
import { formatRupiah, rupiah } from './index.ts'

test.each([
  [100_000, 10_000_000],
  [0.29, 29],
  [1.1, 110],
  [0, 0],
  [-2_500.5, -250_050],
])('rupiah converts Rp%d to %d cents', (amount, cents) => {
  expect(rupiah(amount)).toBe(cents)
})

test.each([0.001, 10.005, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])(
  'rupiah rejects %d, because this amount does not equal an exact number of cents',
  amount => {
    expect(() => rupiah(amount)).toThrow(RangeError)
  },
)

test.each([
  [10_000_000, 'Rp100.000'],
  [10_000_050, 'Rp100.000,50'],
  [-250_000, '-Rp2.500'],
  [0, 'Rp0'],
])('%d cents are formatted as %s', (cents, text) => {
  expect(formatRupiah(cents)).toBe(text)
})

test('formatRupiah rejects an amount that is not integer cents', () => {
  expect(() => formatRupiah(2_500.5)).toThrow('formatRupiah: must be integer cents (got 2500.5)')
})
