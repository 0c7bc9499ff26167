import { insertUser } from '../auth/users/user.sql.ts'
import type { Tx } from '../db/db.ts'
import { insertTenant } from '../tenants/tenant.sql.ts'

/**
 * Inserts the Owner (the operator's tenant) and its user, and returns undefined. If an Owner or a user with the email
 * address already exists, inserts nothing and returns which of them exists. Only one of several concurrent commands
 * creates an Owner.
 */
export async function insertOwner(
  tx: Tx,
  owner: { tenantId: string; name: string; userId: string; email: string; passwordHash: string },
): Promise<'owner' | 'email' | undefined> {
  await tx.raw('lock table tenants in share row exclusive mode')
  const there = await tx.raw<{ rows: unknown[] }>(`select from tenants where role = 'owner' limit 1`)
  if (there.rows.length > 0) return 'owner'
  await insertTenant(tx, {
    id: owner.tenantId,
    role: 'owner',
    tier: 'enterprise',
    name: owner.name,
    parentId: null,
    status: 'active',
  })
  return (await insertUser(tx, { ...owner, id: owner.userId, permissions: ['admin'] })) ? undefined : 'email'
}
