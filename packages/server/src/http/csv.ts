// Writes CSV as defined in RFC 4180. If a spreadsheet could execute a text as a formula, for example a tenant's
// name, an apostrophe is added before the text.

export type CsvValue = string | number | boolean | null | undefined

export const csvLine = (values: readonly CsvValue[]): string => `${values.map(field).join(',')}\r\n`

function field(value: CsvValue): string {
  if (typeof value !== 'string') return String(value ?? '')
  // An amount such as -1.50 is a number, not a formula, even though it starts with a minus sign.
  const isAmount = /^-?\d+\.\d\d$/.test(value)
  const text = !isAmount && /^\s*[=+\-@\t\r\n＝＋－＠]/.test(value) ? `'${value}` : value
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
