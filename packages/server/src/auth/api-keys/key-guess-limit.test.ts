import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import type { Credential } from '../auth.sql.ts'
import { limitKeyGuesses } from './key-guess-limit.ts'

const credential = { keyId: 'key' } as Credential

function keys() {
  const valid = new Set<string>()
  let looks = 0
  const find = limitKeyGuesses(async hash => {
    looks++
    return valid.has(hash.toString('hex')) ? credential : undefined
  })
  const newKey = () => {
    const hash = randomBytes(32)
    valid.add(hash.toString('hex'))
    return hash
  }
  return { find, newKey, revoke: (hash: Buffer) => valid.delete(hash.toString('hex')), looks: () => looks }
}
const limited = { code: 'RATE_LIMITED', retryAfterSeconds: expect.any(Number) }
const settle = (calls: Promise<unknown>[]) => Promise.allSettled(calls)

test('1,000 made-up API keys from one IP address cause fewer than 100 database queries', async () => {
  const { find, looks } = keys()
  const answers = await settle(Array.from({ length: 1_000 }, () => find(randomBytes(32), '203.0.113.7')))
  expect(looks()).toBeGreaterThanOrEqual(50)
  expect(looks()).toBeLessThan(100)
  expect(answers.at(-1)).toMatchObject({ status: 'rejected', reason: limited })
})

test('guessed API keys from an IP address do not block its known keys or other addresses', async () => {
  const { find, newKey } = keys()
  const mine = newKey()
  expect(await find(mine, '203.0.113.7')).toBe(credential)
  const guess = () => find(randomBytes(32), '203.0.113.7')
  await settle(Array.from({ length: 1_000 }, guess))
  await expect(guess()).rejects.toMatchObject(limited)
  expect(await find(mine, '203.0.113.7')).toBe(credential)
  expect(await find(newKey(), '198.51.100.1')).toBe(credential)
})

test('valid API keys never count as guesses, even if an IP address uses many for the first time', async () => {
  const { find, newKey } = keys()
  for (let i = 0; i < 200; i++) expect(await find(newKey(), '203.0.113.7')).toBe(credential)
  const atOnce = await Promise.all(Array.from({ length: 1_000 }, () => find(newKey(), '203.0.113.7')))
  expect(new Set(atOnce)).toEqual(new Set([credential]))
})

test('a request does not count as a guess if the database fails while looking up its API key', async () => {
  let isAway = true
  const find = limitKeyGuesses(async () => {
    if (isAway) throw new Error('the database is away')
    return credential
  })
  const away = await settle(Array.from({ length: 200 }, () => find(randomBytes(32), '203.0.113.7')))
  expect(away.map(({ status }) => status)).toEqual(Array(200).fill('rejected'))
  isAway = false
  expect(await find(randomBytes(32), '203.0.113.7')).toBe(credential)
})

test('every use of a revoked API key except the first counts as a guess', async () => {
  const { find, newKey, revoke, looks } = keys()
  const leaked = newKey()
  await find(leaked, '203.0.113.7')
  revoke(leaked)
  expect(await find(leaked, '203.0.113.7')).toBeUndefined()
  await settle(Array.from({ length: 1_000 }, () => find(leaked, '203.0.113.7')))
  await expect(find(leaked, '203.0.113.7')).rejects.toMatchObject(limited)
  expect(looks()).toBeLessThan(500)
})
