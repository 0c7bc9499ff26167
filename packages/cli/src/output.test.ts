import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Column, listTable, rupiah, shortTime, table } from './output.ts'

test('amounts are shown in rupiah, with decimals (sen) only if they are not zero', () => {
  expect(rupiah(10_000_000)).toBe('Rp 100.000')
  expect(rupiah(2_500_050)).toBe('Rp 25.000,50')
  expect(rupiah(100_000_000_000_000)).toBe('Rp 1.000.000.000.000')
  expect(rupiah(-100)).toBe('-Rp 1')
})

test('a table of details is never wider than the terminal, and wraps long texts instead of shortening them', () => {
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

test('a piped table of details does not wrap long values, and omits rows with an empty value', () => {
  expect(
    table([
      ['Reason', ''],
      ['Code', 'x'.repeat(300)],
    ]),
  ).toEqual([`Code  ${'x'.repeat(300)}`])
})

type Row = { id: string; name: string; note: string }
const columns: Column<Row>[] = [
  { title: 'ID', value: row => row.id },
  { title: 'NAME', value: row => row.name, cut: true },
  { title: 'NOTE', value: row => row.note, cut: true, extra: true },
]

test('a list with 200,000 rows is printed completely', () => {
  const rows = Array.from({ length: 200_000 }, (_, n) => ({ id: String(n), name: '', note: '' }))
  expect(listTable(columns, rows)).toHaveLength(rows.length + 1)
})

test('a printed list is no wider than the terminal, and never truncates an ID, because users copy IDs', () => {
  const text = fc.string({ unit: fc.constantFrom('a', ' ', '🎉', '\n'), maxLength: 60 })
  const row = fc.record({ id: fc.stringMatching(/^[0-9a-f-]{36}$/), name: text, note: text })
  fc.assert(
    fc.property(fc.array(row, { minLength: 1 }), fc.integer({ min: 42, max: 140 }), (rows, width) => {
      const lines = listTable(columns, rows, width)
      expect(lines.every(line => [...line].length <= width)).toBe(true)
      for (const { id } of rows) expect(lines.some(line => line.includes(id))).toBe(true)
    }),
  )
})

test('a printed list omits the least important columns if the terminal is too narrow', () => {
  const rows = [{ id: 'x'.repeat(36), name: 'n'.repeat(30), note: 'm'.repeat(30) }]
  const at = (width: number | undefined) => listTable(columns, rows, width).join('\n')
  expect(at(undefined)).toContain('m'.repeat(30))
  expect(at(80)).toContain(`  ${'n'.repeat(14)}…  ${'m'.repeat(14)}…`.slice(0, 12))
  expect(at(55)).not.toContain('NOTE')
  // The table does not fit a terminal with 44 columns, so each row is printed as a block.
  expect(at(44)).toMatch(/^ID +x{36}$/m)
  expect(at(44)).toMatch(/^NOTE +m/m)
})

test('when payments are listed, control characters in a customer’s name do not reach the terminal', () => {
  const [, line] = listTable(columns, [{ id: '1', name: 'a\x1b[31mb\nc', note: '' }])
  expect(line).toBe('1   ab c')
})

test("a list shows times in the user's time zone, and leaves the cell of a missing time empty", () => {
  const at = new Date(2026, 10, 2, 3, 4)
  expect(shortTime(at.toISOString())).toBe('2026-11-02 03:04')
  expect(shortTime(null)).toBe('')
})
