import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rupiah, table } from './output.ts'

test('amounts are rupiah, with sen only where there are some', () => {
  expect(rupiah(10_000_000)).toBe('Rp 100.000')
  expect(rupiah(2_500_050)).toBe('Rp 25.000,50')
  expect(rupiah(100_000_000_000_000)).toBe('Rp 1.000.000.000.000')
  expect(rupiah(-100)).toBe('-Rp 1')
})

test('a table fits its terminal and loses nothing', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', ' '), maxLength: 200 })
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom('Code', 'Customer'), text)),
      fc.integer({ min: 40, max: 120 }),
      (facts, width) => {
        const lines = table(facts as [string, string][], width)
        expect(lines.every(line => line.length <= width)).toBe(true)
        const letters = (text: string) => text.replace(/[^ab]/g, '')
        const values = lines.map(line => line.replace(/^(Code|Customer)/, ''))
        expect(letters(values.join(''))).toBe(letters(facts.map(([, value]) => value).join('')))
      },
    ),
  )
})

test('what is empty has no row, and what is piped is not folded', () => {
  expect(
    table([
      ['Reason', ''],
      ['Code', 'x'.repeat(300)],
    ]),
  ).toEqual([`Code  ${'x'.repeat(300)}`])
})
