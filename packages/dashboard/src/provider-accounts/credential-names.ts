// What the names of a provider's credentials tell of them; the API gives no more.

const spellings: Record<string, string> = {
  id: 'ID',
  api: 'API',
  va: 'VA',
  qris: 'QRIS',
  bni: 'BNI',
  btn: 'BTN',
  cimb: 'CIMB',
  danamon: 'Danamon',
  maybank: 'Maybank',
  permata: 'Permata',
  sinarmas: 'Sinarmas',
}

/** `client_id` is `Client ID`, as providers' own pages have it in any language. */
export function labelOf(name: string): string {
  const words = name.split('_').map(word => spellings[word] ?? word)
  const [first = '', ...others] = words
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(' ')
}

/** What proves who calls; the others are names that providers print on their pages. */
export const isSecret = (name: string): boolean => /(secret|token|(^|_)key)$/.test(name)

/** A key pair comes in PEM, of several lines: where the provider has a public key, ours is one too. */
export const isPem = (name: string, names: readonly string[]): boolean =>
  names.includes('provider_public_key') && /(private|public)_key$/.test(name)

export const emptyCredentials = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map(name => [name, '']))

/** Without those that were left empty, which are not needed. */
export const filled = (credentials: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(credentials).filter(([, value]) => value.trim() !== ''))
