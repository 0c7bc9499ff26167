import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { newId } from '../../values/id.ts'
import { insertUser } from '../users/user.sql.ts'
import { removeUnacceptedUsers } from './remove-unaccepted-users.ts'

const { db } = await testDatabase()
const NOW = new Date()
const daysAgo = (days: number) => new Date(NOW.getTime() - days * 86_400_000)
const invite = (tenantId: string, email: string, passwordHash: string | null = null) =>
  insertUser(db, { id: newId(), tenantId, email, passwordHash, permissions: ['viewer'] })

test('after an invitation expired long ago, another tenant can invite its address', async () => {
  const [first, second] = [await makeTenant(db), await makeTenant(db)]
  const forgotten = await invite(first, 'forgotten@example.com')
  const expired = await invite(first, 'expired@example.com')
  const active = await invite(first, 'active@example.com', 'hash')
  await db.raw('update users set created_at = ?', [daysAgo(38)])
  await invite(first, 'recent@example.com')
  await db.raw('insert into invitations (token_hash, user_id, expires_at) values (?, ?, ?)', [
    randomBytes(32),
    expired?.id ?? null,
    daysAgo(29),
  ])

  expect(await removeUnacceptedUsers(db, daysAgo(37), 2)).toBe(false)

  const { rows } = await db.raw<{ rows: { email: string }[] }>(
    `select email from users where status <> 'removed' order by email`,
  )
  expect(rows.map(({ email }) => email)).toEqual([active?.email, expired?.email, 'recent@example.com'])
  const audit = await db.raw('select action, tenant_id, subject_id, actor_tenant_id from audit_log')
  expect(audit.rows).toEqual([
    { action: 'user.remove', tenant_id: first, subject_id: forgotten?.id, actor_tenant_id: null },
  ])
  expect(await invite(second, 'forgotten@example.com')).toMatchObject({ status: 'invited' })
  expect(await invite(second, 'expired@example.com')).toBeUndefined()
})
