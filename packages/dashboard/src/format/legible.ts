/** JSON with a line for each value; a form's fields one below the other; anything else as it came. */
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
