import { expect, test } from 'vitest'
import { formatsOf } from './format.ts'

test('an amount is formatted with two decimals, or without decimals if they are zero', () => {
  // Replaces the non-breaking space between the currency sign and the digits with an ordinary space, so that
  // the test can compare the text.
  const plain = (sum: string) => sum.replace(/\s/g, ' ')
  expect(plain(formatsOf('en').money(2_500_000))).toBe('Rp 25,000')
  expect(plain(formatsOf('en').money(2_500_050))).toBe('Rp 25,000.50')
  expect(plain(formatsOf('id').money(2_500_050))).toBe('Rp 25.000,50')
  expect(plain(formatsOf('id').money(-5))).toBe('-Rp 0,05')
})
