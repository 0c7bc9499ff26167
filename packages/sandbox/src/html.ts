// HTML templates. Inserted values are escaped, but the result of another template is inserted unchanged.

export type Html = { readonly html: string }

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

type Value = string | number | Html | readonly Html[] | false | null | undefined

export function html(strings: TemplateStringsArray, ...values: Value[]): Html {
  return { html: strings.reduce((text, part, index) => text + rendered(values[index - 1]) + part) }
}

function rendered(value: Value): string {
  if (value === false || value === null || value === undefined) return ''
  if (typeof value === 'object') return 'html' in value ? value.html : value.map(item => item.html).join('')
  return String(value).replace(/[&<>"']/g, character => entities[character] ?? '')
}
