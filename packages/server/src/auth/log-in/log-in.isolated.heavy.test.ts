import { randomBytes } from 'node:crypto'
import { beforeEach, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { makeTenant, now } from '../../../test/support/make.ts'
import { deriveSecrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import { findUserByEmail, type User } from '../auth.sql.ts'
import { hashPassword } from '../passwords/password-hash.ts'
import { setPassword } from '../passwords/password-reset.sql.ts'
import { insertTotpSecret } from '../second-factor/second-factor.sql.ts'
import { insertUser } from '../users/user.sql.ts'
import { newDeviceToken } from './device-token.ts'
import { logIn } from './log-in.ts'

/**
 * While a password is being verified, the mock of argon2 runs the function `happens`. Tests replace `happens` to run
 * other work at that moment.
 */
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
  permissions: ['admin'],
})
const secrets = deriveSecrets(randomBytes(32))
const app = {
  db,
  secrets,
  clock: () => now,
  keyRing: () => Promise.reject(new Error('the login reached the token step')),
}
const client = { address: undefined, userAgent: undefined }
const attempt = () => logIn(app, { email, password, client, source: '::/64' })

beforeEach(() => {
  meanwhile.happens = async () => {}
})

test('a login with the right password returns an access token', async () => {
  await expect(attempt()).rejects.toThrow('the login reached the token step')
})

test('if many logins to one account arrive at once, only ten passwords are verified', async () => {
  let looks = 0
  meanwhile.happens = async () => {
    looks += 1
  }
  const guess = (given: string) =>
    logIn(app, { email, password: given, client, source: '::/64' }).then(
      () => 'a session',
      ({ message }: Error) => message,
    )
  const first = await Promise.all(Array.from({ length: 30 }, () => guess('wrong')))
  const limited = 'rate limited: too many failed logins; try again in 1 second'
  expect(first.filter(answer => answer !== limited)).toEqual(
    Array(10).fill('unauthorized: email address or password is wrong'),
  )
  expect(await Promise.all([guess(password), guess('wrong')])).toEqual([limited, limited])
  expect(looks).toBe(10)
  await db.raw('delete from login_throttles')
})

test('a login from a known device is processed even if the queue for unknown devices is full', async () => {
  const checks = Promise.withResolvers<void>()
  let begun = 0
  meanwhile.happens = () => {
    begun += 1
    return checks.promise
  }
  const answers: string[] = []
  const strangers = Array.from({ length: 100 }, (_, n) =>
    logIn(app, { email: `nobody-${n}@example.com`, password, client, source: `10.0.0.${n}` }).catch(
      ({ code }: { code: string }) => void answers.push(code),
    ),
  )
  // The service is now checking the passwords of two of the 100 concurrent logins. Another 64 logins wait in the queue,
  // and 34 have been rejected because the queue is full.
  await vi.waitFor(
    () => expect([begun, answers]).toEqual([2, Array(34).fill('SERVICE_UNAVAILABLE')]),
    120_000,
  )
  meanwhile.happens = async () => {}
  const { user } = await findUserByEmail(db, email)
  const deviceTokens = [newDeviceToken(secrets, user as User, { id: newId(), isProven: false }, now)]
  await expect(logIn(app, { email, password, client, source: '10.0.0.1', deviceTokens })).rejects.toThrow(
    'the login reached the token step',
  )
  checks.resolve()
  await Promise.all(strangers)
  expect(answers.slice(34)).toEqual(Array(66).fill('UNAUTHORIZED'))
})

test('if the password is changed during a login, the login does not start a session', async () => {
  meanwhile.happens = async () => {
    const passwordHash = await hashPassword('a whole new password')
    await db.transaction(tx => setPassword(tx, id, passwordHash))
  }
  await expect(attempt()).rejects.toMatchObject({ code: 'UNAUTHORIZED' })
})

test('if the user adds the first second factor during a login, the login requires it', async () => {
  const other = { id: newId(), email: 'sari@example.com' }
  await insertUser(db, {
    ...other,
    tenantId: await makeTenant(db),
    passwordHash: await hashPassword(password),
    permissions: ['admin'],
  })
  meanwhile.happens = async () => {
    await insertTotpSecret(db, { userId: other.id, secretSealed: 'sealed', at: now })
    await db.raw('update totp_secrets set confirmed_at = now() where user_id = ?', [other.id])
  }
  await expect(logIn(app, { email: other.email, password, client, source: '::/64' })).rejects.toMatchObject({
    code: 'OTP_REQUIRED',
  })
  const { rows } = await db.raw('select from refresh_tokens where user_id = ?', [other.id])
  expect(rows).toEqual([])
})

test('if the password is changed during a login that needs a second factor, the login cannot continue', async () => {
  const other = { id: newId(), email: 'tono@example.com' }
  await insertUser(db, {
    ...other,
    tenantId: await makeTenant(db),
    passwordHash: await hashPassword(password),
    permissions: ['admin'],
  })
  await insertTotpSecret(db, { userId: other.id, secretSealed: 'sealed', at: now })
  await db.raw('update totp_secrets set confirmed_at = now() where user_id = ?', [other.id])
  meanwhile.happens = async () => {
    const passwordHash = await hashPassword('a whole new password')
    await db.transaction(tx => setPassword(tx, other.id, passwordHash))
  }
  await expect(logIn(app, { email: other.email, password, client, source: '::/64' })).rejects.toMatchObject({
    code: 'OTP_REQUIRED',
  })
  const { rows } = await db.raw('select from second_factor_challenges where user_id = ?', [other.id])
  expect(rows).toEqual([])
})
