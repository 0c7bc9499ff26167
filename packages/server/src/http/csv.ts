// CSV as of RFC 4180. A spreadsheet takes text that begins like a formula for one and runs it, and tenants
// choose their names; such text gets an apostrophe in front, which spreadsheets show as text.

export type Value = string | number | boolean | null | undefined

export function csvOf(columns: readonly string[], rows: Record<string, Value>[]): string {
  return csvLine(columns) + rows.map(row => csvLine(columns.map(column => row[column]))).join('')
}

export const csvLine = (values: readonly Value[]): string => `${values.map(field).join(',')}\r\n`

function field(value: Value): string {
  if (typeof value !== 'string') return String(value ?? '')
  const text = /^\s*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
