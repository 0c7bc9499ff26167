import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { later, makeTenant, now } from '../../../test/support/make.ts'
import type { Mail } from '../../mail/mail.ts'
import { deriveSecrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import { insertUser } from '../users/user.sql.ts'
import { sendPasswordReset } from './send-password-reset.ts'

const { db } = await testDatabase()
const tenantId = await makeTenant(db)
const email = 'budi@example.com'
await insertUser(db, { id: newId(), tenantId, email, passwordHash: 'none', permissions: ['admin' as const] })

function appWith(sendMail: (mail: Mail) => Promise<void>, at = now) {
  const secrets = deriveSecrets(randomBytes(32))
  return { db, secrets, clock: () => at, publicUrl: 'https://pay.example.com', sendMail }
}
const tokens = async () => (await db.raw('select token_hash from password_resets')).rows.length

test('if a password reset email cannot be sent, no reset token is stored and the job is retried', async () => {
  const down = appWith(async () => {
    throw new Error('connect ECONNREFUSED')
  })
  for (let attempt = 0; attempt < 5; attempt++)
    await expect(sendPasswordReset(down, { tenantId, email, requestedAt: now })).rejects.toThrow(
      'ECONNREFUSED',
    )
  expect(await tokens()).toBe(0)

  const mails: Mail[] = []
  const up = appWith(async mail => void mails.push(mail))
  await sendPasswordReset(up, { tenantId, email, requestedAt: now })
  expect(mails).toHaveLength(1)
  expect(await tokens()).toBe(1)
})

test('a password reset email is not sent if half an hour has passed since the request', async () => {
  const mails: Mail[] = []
  const app = appWith(async mail => void mails.push(mail), later(30 * 60_000))
  await sendPasswordReset(app, { tenantId, email, requestedAt: now })
  expect(mails).toEqual([])
})

test('an email address gets at most three password reset emails in half an hour, even if its user is re-created', async () => {
  const address = 'siti@example.com'
  const mails: Mail[] = []
  const app = appWith(async mail => void mails.push(mail))
  const request = (to: string) => sendPasswordReset(app, { tenantId, email: to, requestedAt: now })
  const create = async () => {
    const user = { tenantId, passwordHash: 'none', permissions: ['admin' as const] }
    await insertUser(db, { ...user, id: newId(), email: address })
  }
  const remove = () =>
    db.raw(`update users set status = 'removed', password_hash = null where email = ?`, [address])
  await create()
  for (let n = 0; n < 2; n++) await request(address)
  await remove()
  await create()
  for (let n = 0; n < 3; n++) await request(address.toUpperCase())
  await remove()
  await create()
  await request(address)
  expect(mails.map(({ to }) => to)).toEqual([address, address, address])

  const later30 = appWith(async mail => void mails.push(mail), later(30 * 60_000))
  await sendPasswordReset(later30, { tenantId, email: address, requestedAt: later(30 * 60_000) })
  expect(mails).toHaveLength(4)
})

test('twenty concurrent requests for the same user send three password reset emails', async () => {
  const address = 'wati@example.com'
  const mails: Mail[] = []
  const app = appWith(async mail => void mails.push(mail))
  const user = { tenantId, passwordHash: 'none', permissions: ['admin' as const] }
  await insertUser(db, { ...user, id: newId(), email: address })
  const request = () => sendPasswordReset(app, { tenantId, email: address, requestedAt: now })
  await Promise.all(Array.from({ length: 20 }, request))
  expect(mails).toHaveLength(3)
})
