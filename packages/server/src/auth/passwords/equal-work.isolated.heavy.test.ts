// Checks that response times do not reveal whether an email address exists. Measured times vary too much, so
// the test compares the SQL statements and the password hashing instead.

import { randomBytes } from 'node:crypto'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { makeTenant, now } from '../../../test/support/make.ts'
import { deriveSecrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import { logIn } from '../log-in/log-in.ts'
import { insertUser } from '../users/user.sql.ts'
import { hashPassword } from './password-hash.ts'
import { requestPasswordReset } from './request-password-reset.ts'

const argon2 = vi.hoisted(() => ({ verified: [] as string[] }))
vi.mock('@node-rs/argon2', async original => {
  const real = await original<typeof import('@node-rs/argon2')>()
  const verify: typeof real.verify = (hash, ...rest) => {
    // Records the parameters of the password hash, which determine how long hashing takes.
    argon2.verified.push(String(hash).split('$').slice(0, 4).join('$'))
    return real.verify(hash, ...rest)
  }
  return { ...real, verify }
})

const { db } = await testDatabase()
const tenantId = await makeTenant(db)
const email = 'budi@example.com'
await insertUser(db, {
  id: newId(),
  tenantId,
  email,
  passwordHash: await hashPassword('correct horse battery staple'),
  permissions: ['admin'],
})
const app = {
  db,
  secrets: deriveSecrets(randomBytes(32)),
  clock: () => now,
  keyRing: () => Promise.reject(new Error('no token is to be signed')),
}

/** Records the SQL statements and argon2 calls that `call` makes. */
async function workOf(call: () => Promise<unknown>): Promise<{ statements: string[]; verified: string[] }> {
  const statements: string[] = []
  const listen = ({ sql }: { sql: string }) => void statements.push(sql)
  argon2.verified.length = 0
  db.on('query', listen)
  await call().catch(() => {})
  db.off('query', listen)
  return { statements: statements.sort(), verified: [...argon2.verified] }
}

const client = { address: undefined, userAgent: undefined }

beforeEach(() => db.raw('delete from login_throttles'))

describe('logins with unknown and known email addresses do equal work', () => {
  const attempt = (address: string) => () =>
    logIn(app, { email: address, password: 'wrong', client, source: '::/64' })

  test('a login with an unknown email address causes the same work as a login with a known address', async () => {
    const known = await workOf(attempt(email))
    expect(known.verified).toEqual(['$argon2id$v=19$m=19456,t=2,p=1'])
    expect(known.statements.filter(sql => sql.includes('users'))).not.toEqual([])
    expect(known.statements.filter(sql => sql.includes('login_throttles')).length).toBeGreaterThanOrEqual(2)
    expect(await workOf(attempt('nobody@example.com'))).toEqual(known)
  })

  test('a login rejected after too many failures hashes no password, whether or not the email address is known', async () => {
    const exhausted = async (address: string) => {
      for (let n = 0; n < 10; n++) await attempt(address)().catch(() => {})
      return workOf(attempt(address))
    }
    const known = await exhausted(email)
    expect(known.verified).toEqual([])
    expect(await exhausted('nobody@example.com')).toEqual(known)
  })

  test('a failed login that triggers an attack report does the same work whether or not the email address belongs to a user', async () => {
    const deviceTokens = [`gp_device_${newId()}.9999999999999.${'a'.repeat(43)}`]
    const noticed = async (email: string) => {
      await logIn(app, { email, password: 'wrong', client, source: '::/64' }).catch(() => {})
      await db.raw(`update login_throttles set failures = 19 where lane = 'newcomers'`)
      const guess = () => logIn(app, { email, password: 'wrong', client, source: '10.0.0.1', deviceTokens })
      return workOf(guess)
    }
    const known = await noticed(email)
    expect(known.statements.filter(sql => sql.includes('note_login_attack'))).not.toEqual([])
    expect(known.verified).toHaveLength(1)
    await db.raw('delete from login_throttles')
    expect(await noticed('nobody@example.com')).toEqual(known)
  })

  test('a password-reset request runs the same steps for an unknown email address as for a known address', async () => {
    const known = await workOf(() => requestPasswordReset(app, { tenantId, email, source: '10.0.0.1' }))
    expect(known.statements.filter(sql => sql.includes('send_password_reset'))).not.toEqual([])
    expect(known.statements.filter(sql => sql.includes('users'))).toEqual([])
    const unknown = () =>
      requestPasswordReset(app, { tenantId: newId(), email: 'unknown@example.com', source: '10.0.0.1' })
    expect(await workOf(unknown)).toEqual(known)
  })
})
