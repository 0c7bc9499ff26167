// CSV as of RFC 4180. A spreadsheet takes text that begins like a formula for one and runs it, and tenants
// choose their names; such text gets an apostrophe in front, which spreadsheets show as text.

type Value = string | number | boolean | null | undefined

export function csvOf(columns: readonly string[], rows: Record<string, Value>[]): string {
  const lines = [columns, ...rows.map(row => columns.map(column => row[column]))]
  return lines.map(line => `${line.map(field).join(',')}\r\n`).join('')
}

function field(value: Value): string {
  if (typeof value !== 'string') return String(value ?? '')
  const text = /^\s*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
