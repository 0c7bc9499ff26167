// Writes CSV as defined in RFC 4180. Text that a spreadsheet could execute as a formula, such as a tenant's name,
// is prefixed with an apostrophe.

export type CsvValue = string | number | boolean | null | undefined

export const csvLine = (values: readonly CsvValue[]): string => `${values.map(field).join(',')}\r\n`

function field(value: CsvValue): string {
  if (typeof value !== 'string') return String(value ?? '')
  // An amount such as -1.50 is a number, not a formula, even though it starts with a minus sign.
  const isAmount = /^-?\d+\.\d\d$/.test(value)
  const text = !isAmount && /^\s*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
