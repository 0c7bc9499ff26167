import { expect, test } from 'vitest'
import { csvOf } from './csv.ts'

test('a CSV field is quoted only if it contains a comma, a quote or a line break', () => {
  expect(
    csvOf(
      ['a', 'b'],
      [
        { a: 'Toko "Budi", Bandung', b: 'plain' },
        { a: 'two\r\nlines', b: null },
      ],
    ),
  ).toBe('a,b\r\n"Toko ""Budi"", Bandung",plain\r\n"two\r\nlines",\r\n')
})

test.each(['=1+1', '+62', '-1', '@SUM(A1)', '\t=1', '\r=1', ' =cmd', '＝1'])(
  'CSV text that a spreadsheet would execute is written as text: %j',
  text => {
    const [, value = ''] = csvOf(['a'], [{ a: text }]).split(/(?<=^a\r\n)/)
    expect(value.replace(/^"/, '').startsWith("'")).toBe(true)
  },
)

test('a number in CSV stays a number, even below zero', () => {
  expect(csvOf(['a', 'b'], [{ a: -1, b: 10_000_000 }])).toBe('a,b\r\n-1,10000000\r\n')
})

test('a CSV file without rows consists of the header line', () =>
  expect(csvOf(['day', 'count'], [])).toBe('day,count\r\n'))
