import { expect, test } from 'vitest'
import { countOn, noRows, rowsOf } from './row-count.ts'

const csv = new TextEncoder().encode('code,name\r\nGP1,"Budi ""B""\nSantoso"\r\nGP2,Siti\r\n')

test('CSV rows are counted without the header and without line breaks inside a cell', () => {
  expect(rowsOf(countOn(noRows, csv))).toBe(2)
})

test('the count of CSV rows is the same wherever the bytes are split', () => {
  for (let at = 0; at <= csv.length; at += 1)
    expect(rowsOf(countOn(countOn(noRows, csv.subarray(0, at)), csv.subarray(at)))).toBe(2)
})

test('an empty CSV file has no rows', () => {
  expect(rowsOf(noRows)).toBe(0)
})
