import { timingSafeEqual } from 'node:crypto'

/** In a time that does not tell how much of a secret was guessed; only its length can be told. */
export function isEqualSecret(given: string, secret: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}
