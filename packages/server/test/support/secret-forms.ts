// Checks whether a text contains a secret that it must not contain, in any encoding.

/**
 * Returns the forms in which a secret might appear: plain, base64 in each of the three alignments, hex,
 * URL-encoded, and JSON-escaped.
 */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = [0, 1, 2].map(before =>
    // Leaves out the first and last base64 characters, because they may also encode bits of the bytes around the secret
    // in a longer text.
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(before === 0 ? 0 : before + 1)
      .replace(/..=*$/, ''),
  )
  return [
    secret,
    ...base64,
    ...base64.map(text => text.replaceAll('+', '-').replaceAll('/', '_')),
    bytes.toString('hex'),
    encodeURIComponent(secret),
    JSON.stringify(secret).slice(1, -1),
  ]
}

/**
 * Returns the names of the secrets that appear in the text, either plain or in another form from `formsOf`,
 * such as base64.
 */
export const leaked = (text: string, secrets: Iterable<[name: string, secret: string]>): string[] =>
  [...secrets].filter(([, secret]) => formsOf(secret).some(form => text.includes(form))).map(([name]) => name)
