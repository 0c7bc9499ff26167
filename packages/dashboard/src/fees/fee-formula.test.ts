import { expect, test } from 'vitest'
import { formatsOf } from '../format/format.ts'
import { formulaIn } from './fee-formula.ts'

const plain = (text: string) => text.replaceAll(/\s/g, ' ')

test('a fee formula is shown in the reader’s language and number format', () => {
  const formula = '0.7% + Rp 4.000,50, at least Rp 5.000, at most Rp 1.000.000, PPN 11%'
  const shown = (language: 'en' | 'id') => plain(formulaIn(language, formatsOf(language), formula))
  expect(shown('en')).toBe('0.7% + Rp 4,000.50, at least Rp 5,000, at most Rp 1,000,000, PPN 11%')
  expect(shown('id')).toBe('0,7% + Rp 4.000,50, minimal Rp 5.000, maksimal Rp 1.000.000, PPN 11%')
})
