import { timingSafeEqual } from 'node:crypto'

/**
 * Compares two secrets in constant time, so that the response time does not reveal how many characters were guessed
 * correctly. The response time can still reveal the secret's length.
 */
export function isEqualSecret(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
