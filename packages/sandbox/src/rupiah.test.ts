import { expect, test } from 'vitest'
import { centsTyped, decimalRupiah, displayRupiah } from './rupiah.ts'

test.each([
  [1, '0.01', 'Rp 0,01'],
  [50, '0.50', 'Rp 0,50'],
  [100, '1.00', 'Rp 1'],
  [4_400_000, '44000.00', 'Rp 44.000'],
  [99_999_999_999_999, '999999999999.99', 'Rp 999.999.999.999,99'],
])('%i cents are formatted as %s for a provider and as %s on the web page', (cents, decimal, display) => {
  expect(decimalRupiah(cents)).toBe(decimal)
  expect(displayRupiah(cents)).toBe(display)
  expect(centsTyped(decimal)).toBe(cents)
})

test.each(['', '0', '-1', '1.234', '1e3', 'x'])(
  'the sandbox rejects the text "%s" as an amount in rupiah',
  text => {
    expect(centsTyped(text)).toBeUndefined()
  },
)
