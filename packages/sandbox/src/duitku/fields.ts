// Requests are JSON. The page heads the status request "x-www-form-urlencoded" while its samples send JSON, so a form
// is read too. Names are read in any casing: the list of methods is asked for with `merchantcode` by the documents
// and with `merchantCode` by the official library.

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

/** Empty where there is none. A number counts as its digits. */
export function textOf(fields: Fields, name: string): string {
  const value = fields(name)
  return typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''
}

/** Undefined where it is no whole number. */
export function wholeOf(fields: Fields, name: string): number | undefined {
  const text = textOf(fields, name)
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}
