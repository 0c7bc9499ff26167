import { expect, test } from 'vitest'
import { countOn, noRows, rowsOf } from './row-count.ts'

const csv = new TextEncoder().encode('code,name\r\nGP1,"Budi ""B""\nSantoso"\r\nGP2,Siti\r\n')

test('counting the rows of a CSV file ignores the header and line breaks inside cells', () => {
  expect(rowsOf(countOn(noRows, csv))).toBe(2)
})

test('the number of CSV rows does not depend on where the file is split into chunks', () => {
  for (let at = 0; at <= csv.length; at += 1)
    expect(rowsOf(countOn(countOn(noRows, csv.subarray(0, at)), csv.subarray(at)))).toBe(2)
})

test('an empty CSV file has no rows', () => {
  expect(rowsOf(noRows)).toBe(0)
})
