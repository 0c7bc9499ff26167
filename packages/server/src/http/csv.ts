// CSV as in RFC 4180. Tenants choose their own names, and a spreadsheet executes text that looks like a formula. Text
// that looks like a formula is therefore prefixed with an apostrophe, so that spreadsheets treat it as text.

export type CsvValue = string | number | boolean | null | undefined

export function csvOf(columns: readonly string[], rows: Record<string, CsvValue>[]): string {
  return csvLine(columns) + rows.map(row => csvLine(columns.map(column => row[column]))).join('')
}

export const csvLine = (values: readonly CsvValue[]): string => `${values.map(field).join(',')}\r\n`

function field(value: CsvValue): string {
  if (typeof value !== 'string') return String(value ?? '')
  const text = /^\s*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
