import { expect, test } from 'vitest'
import { csvFormOf, rupiahText, sheetColumnsOf, sheetValueOf } from './spreadsheet.ts'

const form = {
  columns: ['id', 'amount_cents', 'paid_at'],
  money: ['amount_cents'],
  times: ['paid_at'],
}

test('column titles in a spreadsheet export contain the units of amounts and times', () => {
  expect(sheetColumnsOf(form).map(({ title }) => title)).toEqual(['id', 'amount_rupiah', 'paid_at_wib'])
})

test('CSV exports in the spreadsheet format contain amounts in rupiah with two decimals, and times in Jakarta time', () => {
  const row = { id: 'a', amount_cents: 10_000_050, paid_at: '2026-11-20T20:04:05.678Z' }
  expect(sheetColumnsOf(form).map(column => sheetValueOf(column, row))).toEqual([
    'a',
    '100000.50',
    '2026-11-21 03:04:05',
  ])
  expect(sheetColumnsOf(form).map(column => sheetValueOf(column, { ...row, paid_at: null }))[2]).toBeNull()
})

test('a CSV export starts with a byte order mark only if the spreadsheet format was requested', () => {
  expect(csvFormOf(form, undefined).head).toBe('id,amount_cents,paid_at\r\n')
  expect(csvFormOf(form, 'spreadsheet').head).toBe('\ufeffid,amount_rupiah,paid_at_wib\r\n')
})

test.each([
  [0, '0.00'],
  [7, '0.07'],
  [-150, '-1.50'],
  [9_007_199_254_740_991, '90071992547409.91'],
])('an amount of %d cents is written as %s rupiah', (cents, text) => expect(rupiahText(cents)).toBe(text))
