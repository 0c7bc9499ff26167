import { expect, test } from 'vitest'
import { hashPassword, verifyPassword } from './password-hash.ts'

const kept = await hashPassword('correct horse battery staple')

test('a password is stored as argon2id with the parameters that OWASP recommends', () => {
  expect(kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  expect(kept).not.toContain('horse')
})

test('hashing the same password twice gives two different hashes', async () => {
  expect(await hashPassword('correct horse battery staple')).not.toBe(kept)
})

test('a password is accepted only if every character matches the original password, including case and spaces', async () => {
  expect(await verifyPassword(kept, 'correct horse battery staple')).toBe(true)
  for (const wrong of [
    '',
    'correct horse battery stapl',
    'Correct horse battery staple',
    'correct horse battery staple ',
  ])
    expect(await verifyPassword(kept, wrong)).toBe(false)
})

test('a long password is rejected if only its last character is wrong', async () => {
  const long = 'p'.repeat(1_023)
  const hash = await hashPassword(`${long}a`)
  expect([await verifyPassword(hash, `${long}a`), await verifyPassword(hash, `${long}b`)]).toEqual([
    true,
    false,
  ])
})

test('no password is accepted for a nonexistent user', async () => {
  expect(await verifyPassword(undefined, 'correct horse battery staple')).toBe(false)
})
