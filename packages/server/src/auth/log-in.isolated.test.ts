import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { makeTenant, now } from '../../test/support/make.ts'
import { newId } from '../id.ts'
import { deriveSecrets } from '../secrets.ts'
import { logIn } from './log-in.ts'
import { loginLimit } from './login-limit.sql.ts'
import { hashPassword } from './password.ts'
import { setPassword } from './password-reset.sql.ts'
import { insertUser } from './user.sql.ts'

/** What happens elsewhere while a password is being verified. */
const meanwhile = vi.hoisted(() => ({ happens: async () => {} }))
vi.mock('@node-rs/argon2', async original => {
  const real = await original<typeof import('@node-rs/argon2')>()
  const verify: typeof real.verify = async (...args) => {
    await meanwhile.happens()
    return real.verify(...args)
  }
  return { ...real, verify }
})

const { db } = await testDatabase()
const id = newId()
const email = 'budi@example.com'
const password = 'correct horse battery staple'
await insertUser(db, {
  id,
  tenantId: await makeTenant(db),
  email,
  passwordHash: await hashPassword(password),
})
const secrets = deriveSecrets(randomBytes(32))
const limit = loginLimit(db)
const app = {
  db,
  secrets,
  clock: () => now,
  loginLimit: limit,
  keyRing: () => Promise.reject(new Error('it got as far as the token')),
}
const attempt = () => logIn(app, { email, password, source: '::/64' })

beforeEach(() => {
  meanwhile.happens = async () => {}
})

test('a right password gets as far as the token', async () => {
  await expect(attempt()).rejects.toThrow('it got as far as the token')
})

test('a right guess among many sent at once is refused where ten of them have failed meanwhile', async () => {
  const guess = { address: secrets.hash(email).toString('base64url'), source: '::/64' }
  meanwhile.happens = async () => {
    for (let n = 0; n < 10; n++) await limit.countFailure(guess)
  }
  await expect(attempt()).rejects.toMatchObject({ code: 'RATE_LIMITED' })
  await limit.forget(guess.address)
})

test('a password that is replaced while it is being verified begins no session', async () => {
  meanwhile.happens = async () => {
    const passwordHash = await hashPassword('a whole new password')
    await db.transaction(tx => setPassword(tx, id, passwordHash))
  }
  await expect(attempt()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})
