import { expect, test } from 'vitest'
import { csvLine } from './csv.ts'

test('a field in a CSV export is quoted only if it contains a comma, a quote or a line break', () => {
  expect(csvLine(['Toko "Budi", Bandung', 'plain'])).toBe('"Toko ""Budi"", Bandung",plain\r\n')
  expect(csvLine(['two\r\nlines', null])).toBe('"two\r\nlines",\r\n')
})

test.each(['=1+1', '+62', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =cmd', '＝1'])(
  'if a spreadsheet would execute a text as a formula, the CSV export contains it as plain text: %j',
  text => expect(csvLine([text]).replace(/^"/, '').startsWith("'")).toBe(true),
)

test('a negative amount in CSV is written as a number and not escaped as a formula', () => {
  expect(csvLine([-1, 10_000_000])).toBe('-1,10000000\r\n')
})
