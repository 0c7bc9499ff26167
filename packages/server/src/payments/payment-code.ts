// The human-facing code, e.g. GP261120-7Q4M2ZK8XW: the day in UTC and 50 random bits in Crockford's
// base 32 (no I, L, O, U, so it survives being read out). Providers get it as their order reference.

import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export function newPaymentCode(at: Date): string {
  const day = at.toISOString().slice(2, 10).replaceAll('-', '')
  // 256 is a multiple of 32, so the low five bits of a random byte are uniform.
  const random = Array.from(randomBytes(10), byte => alphabet[byte & 31]).join('')
  return `GP${day}-${random}`
}

/** In any casing, as people type it. */
export const isPaymentCode = (text: string): boolean => /^GP\d{6}-[0-9A-HJKMNP-TV-Z]{10}$/i.test(text)
