/**
 * Formats a request body so that it is easy to read. JSON is indented, each form field is on a separate line, and any
 * other text is unchanged.
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
