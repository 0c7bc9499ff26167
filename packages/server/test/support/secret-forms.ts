// How a secret may stand in a text that was not meant to hold it.

/** As it is, in base64 from each of the three places where a group of it may begin, in hex, in a URL and in JSON. */
export function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  const base64 = [0, 1, 2].map(before =>
    // Without the digits that share bits with what stands before and after.
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

/** Names of the secrets that the text holds in any form. */
export const leaked = (text: string, secrets: Iterable<[name: string, secret: string]>): string[] =>
  [...secrets].filter(([, secret]) => formsOf(secret).some(form => text.includes(form))).map(([name]) => name)
