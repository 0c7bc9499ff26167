// Recovery codes replace a lost authenticator app or passkey. A code has 48 random bits, so it cannot be
// guessed. The database stores only hashes of the codes.

import { randomInt } from 'node:crypto'

const CODES = 10
/**
 * The characters used in recovery codes. i, l, o, 0 and 1 are excluded because they look alike. The letter u is
 * excluded so that codes contain fewer words by chance.
 */
const alphabet = 'abcdefghjkmnpqrstvwxyz23456789'

export const newRecoveryCodes = (): string[] => Array.from({ length: CODES }, newCode)

function newCode(): string {
  const part = () => Array.from({ length: 5 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${part()}-${part()}`
}

/**
 * Normalizes a recovery code or TOTP code that a user typed: removes spaces and dashes, and converts it to lower case.
 */
export const normalizedCode = (typed: string): string => typed.replace(/[\s-]/g, '').toLowerCase()
