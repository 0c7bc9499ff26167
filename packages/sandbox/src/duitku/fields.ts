// Reads the fields of a JSON or form request. Duitku's documentation calls the status request
// "x-www-form-urlencoded", but its samples are JSON. Field names are case-insensitive, because the documentation
// and the official library use different letter case.

export type Fields = (name: string) => unknown

export function fieldsOf(text: string, contentType: string): Fields {
  const entries = contentType.includes('x-www-form-urlencoded')
    ? [...new URLSearchParams(text)]
    : Object.entries(objectOf(text))
  const fields = new Map<string, unknown>(entries.map(([name, value]) => [name.toLowerCase(), value]))
  return name => fields.get(name.toLowerCase())
}

function objectOf(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}

/** Returns the field as text, or an empty string if it is missing. A number is converted to its digits. */
export function textOf(fields: Fields, name: string): string {
  const value = fields(name)
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** Returns the field as a whole number, or undefined if it is not one. */
export function wholeOf(fields: Fields, name: string): number | undefined {
  const text = textOf(fields, name)
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
