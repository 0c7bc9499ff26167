/**
 * Formats a request body for reading: JSON is indented, form fields are on one line each, and any other text is
 * unchanged.
 */
export function legible(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return isForm(body)
      ? [...new URLSearchParams(body)].map(([name, value]) => `${name} = ${value}`).join('\n')
      : body
  }
}

const isForm = (body: string): boolean => /^[\w.[\]%-]+=[^\s<{]*(&[\w.[\]%-]+=[^\s<{]*)*$/.test(body)
