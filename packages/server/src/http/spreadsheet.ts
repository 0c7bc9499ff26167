// An export has one of two forms. In the spreadsheet form, amounts are in rupiah and times are in Jakarta time. In the
// machine form, which is for programs, amounts are in cents and times are in UTC.

import type { SheetForm } from '../api/trpc.ts'
import { wibClock } from '../values/time.ts'
import { type CsvValue, csvLine } from './csv.ts'

export type SheetColumn = { title: string; kind: 'text' | 'rupiah' | 'time'; field: string }

/**
 * Returns the columns for the spreadsheet form. If the values of a column are converted to another unit, the
 * title of the column contains this unit.
 */
export const sheetColumnsOf = ({ columns, money = [], times = [] }: SheetForm): SheetColumn[] =>
  columns.map(field => {
    if (money.includes(field))
      return { title: `${field.replace(/_cents$/, '')}_rupiah`, kind: 'rupiah', field }
    if (times.includes(field)) return { title: `${field}_wib`, kind: 'time', field }
    return { title: field, kind: 'text', field }
  })

/**
 * Converts cents to rupiah with two decimals. The decimal point is inserted into the number's text, because a float
 * is not exact.
 */
export function rupiahText(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

export function sheetValueOf({ kind, field }: SheetColumn, row: Record<string, unknown>): CsvValue {
  const value = row[field] as CsvValue
  if (value === null || value === undefined) return null
  if (kind === 'rupiah') return rupiahText(Number(value))
  if (kind === 'time') return wibClock(new Date(String(value))).replace('T', ' ')
  return value
}

type CsvForm = { head: string; lineOf(row: Record<string, unknown>): string }

/**
 * Returns the header and the lines of a CSV file. If `style` is `spreadsheet`, the file is for spreadsheets (rupiah,
 * Jakarta time). Otherwise, it is for programs (cents, UTC).
 */
export function csvFormOf(form: SheetForm, style: unknown): CsvForm {
  if (style !== 'spreadsheet')
    return {
      head: csvLine(form.columns),
      lineOf: row => csvLine(form.columns.map(column => row[column] as CsvValue)),
    }
  const sheet = sheetColumnsOf(form)
  return {
    // The file begins with a byte order mark, because otherwise Excel would not read the CSV file as UTF-8.
    head: `\ufeff${csvLine(sheet.map(({ title }) => title))}`,
    lineOf: row => csvLine(sheet.map(column => sheetValueOf(column, row))),
  }
}
