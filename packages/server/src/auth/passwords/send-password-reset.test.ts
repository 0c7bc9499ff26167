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
