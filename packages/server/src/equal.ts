import { timingSafeEqual } from 'node:crypto'

/**
 * Compares in constant time, so that timing does not reveal how much of a secret was guessed; it can reveal the
 * secret's length.
 */
export function isEqualSecret(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
