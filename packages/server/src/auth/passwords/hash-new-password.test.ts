import { randomBytes } from 'node:crypto'
import { expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { holdNewPasswords } from '../../../test/support/hold-new-passwords.ts'
import { makeTenant, now } from '../../../test/support/make.ts'
import { deriveSecrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import { acceptInvitation } from '../team/accept-invitation.ts'
import { replaceInvitation } from '../team/invitation.sql.ts'
import { createUser } from '../users/create-user.ts'
import { insertUser } from '../users/user.sql.ts'
import { confirmPasswordReset } from './confirm-password-reset.ts'
import { hashNewPassword } from './hash-new-password.ts'
import { passwordCheckQueue } from './password-check-queue.ts'
import { insertPasswordReset } from './password-reset.sql.ts'

const { db } = await testDatabase()
const app = { db, secrets: deriveSecrets(randomBytes(32)), clock: () => now }
const expiresAt = after(now, 60_000)

const password = 'correct horse battery staple'
/** The number of passwords that can wait (password-check-queue.ts). */
const WAITING = 32
const rejected = { fault: 'passwords_at_capacity' }

test("a tenant's new password waits for at most two of another tenant's many password hashes", async () => {
  const hashed: string[] = []
  const set = (tenantId: string, name: string) =>
    hashNewPassword(password, { tenantId, partnerId: null }).then(() => hashed.push(name))
  await Promise.all([set('a', 'a1'), set('a', 'a2'), set('a', 'a3'), set('b', 'b1')])
  expect(hashed).toEqual(['a1', 'a2', 'b1', 'a3'])
})

/** Fills the queue with one new password for each of many Clients of the Partner. */
function fillQueue(partnerId: string): Promise<string>[] {
  const clients = Array.from({ length: WAITING }, () => ({ tenantId: newId(), partnerId }))
  return clients.map(client => hashNewPassword(password, client))
}
const resultOf = (hashing: Promise<string>) =>
  hashing.then(
    () => 'done',
    error => error,
  )

test("new passwords of many Clients of one Partner do not block other tenants' passwords or known devices", async () => {
  const release = holdNewPasswords()
  const clients = fillQueue('partner')
  const others = [
    hashNewPassword(password, { tenantId: 'other client', partnerId: 'other partner' }),
    hashNewPassword(password, { tenantId: 'client', partnerId: null }),
    passwordCheckQueue(true)({ source: '203.0.113.1', account: 'budi@example.com' }, async () => 'checked'),
  ]
  const results = Promise.all([...clients, ...others].map(resultOf))
  await release()
  expect((await results).slice(WAITING)).toEqual(others.map(() => 'done'))
  expect((await results).filter(result => result !== 'done')).toMatchObject(others.map(() => rejected))
})

test.each([
  [
    'creating a user',
    async (tenantId: string) =>
      createUser(app, null, tenantId, { email: `${newId()}@example.com`, password }),
  ],
  [
    'accepting an invitation',
    async (tenantId: string) => {
      await replaceInvitation(db, {
        tokenHash: app.secrets.hash('invitation'),
        userId: await makeUser(tenantId, null),
        expiresAt,
      })
      return acceptInvitation(app, { token: 'invitation', newPassword: password })
    },
  ],
  [
    'resetting a password',
    async (tenantId: string) => {
      const userId = await makeUser(tenantId, 'none')
      const reset = {
        tokenHash: app.secrets.hash('reset'),
        userId,
        email: 'budi@example.com',
        at: now,
        expiresAt,
      }
      await db.transaction(tx => insertPasswordReset(tx, { ...reset, atMost: 3 }))
      const client = { address: undefined, userAgent: undefined }
      return confirmPasswordReset(app, {
        token: 'reset',
        newPassword: password,
        source: '203.0.113.1',
        client,
      })
    },
  ],
])(
  '%s is rejected if new passwords of the Partner’s other Clients fill the queue',
  async (_, setPassword) => {
    const partnerId = await makeTenant(db, { role: 'partner' })
    const tenantId = await makeTenant(db, { parentId: partnerId })
    const release = holdNewPasswords()
    const clients = fillQueue(partnerId)
    onTestFinished(async () => {
      await release()
      await Promise.allSettled(clients)
    })
    // If the user's password did not count for the Partner, the queue would reject a Client's password instead.
    const first = await Promise.race([
      setPassword(tenantId).catch(error => error),
      Promise.all(clients).catch(() => 'the password of another Client was rejected'),
    ])
    expect(first).toMatchObject(rejected)
  },
)

async function makeUser(tenantId: string, passwordHash: string | null): Promise<string> {
  const user = { id: newId(), tenantId, email: `${newId()}@example.com`, passwordHash }
  await insertUser(db, { ...user, permissions: ['admin'] })
  return user.id
}
