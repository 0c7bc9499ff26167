// Derives labels and input types from the credential names, because the API returns only the names.

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

/**
 * Converts a name such as `client_id` into `Client ID`. Providers' websites use this spelling in every
 * language.
 */
export function labelOf(name: string): string {
  const words = name.split('_').map(word => spellings[word] ?? word)
  const [first = '', ...others] = words
  return [first.charAt(0).toUpperCase() + first.slice(1), ...others].join(' ')
}

/**
 * Returns whether a credential is a secret. The other credentials are identifiers, which providers show on their
 * websites.
 */
export const isSecret = (name: string): boolean => /(secret|token|(^|_)key)$/.test(name)

/**
 * Returns whether a credential is a key in PEM format, which spans several lines. Only providers whose credentials
 * include the provider's public key use this format.
 */
export const isPem = (name: string, names: readonly string[]): boolean =>
  names.includes('provider_public_key') && /(private|public)_key$/.test(name)

export const emptyCredentials = (names: readonly string[]): Record<string, string> =>
  Object.fromEntries(names.map(name => [name, '']))

/** Removes optional credentials whose fields are empty. */
export const filled = (credentials: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(credentials).filter(([, value]) => value.trim() !== ''))
