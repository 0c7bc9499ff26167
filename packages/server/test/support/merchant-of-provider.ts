// Creates a merchant whose payments all go to one provider.

import { randomUUID } from 'node:crypto'
import type { App } from '../../src/app.ts'
import { createApiKey } from '../../src/auth/api-keys/create-api-key.ts'
import { createUser } from '../../src/auth/users/create-user.ts'
import type { Demo } from '../../src/demo/demo.ts'
import { replaceEntitlements } from '../../src/routing/replace-entitlements.ts'
import { createTenant } from '../../src/tenants/create-tenant.ts'
import { merchantOf } from './merchant.ts'

export async function merchantWith(app: App, demo: Demo, provider: string) {
  const { id: tenantId } = await createTenant(app, null, {
    name: `Only ${provider}`,
    role: 'client',
    tier: 'enterprise',
    parentId: null,
  })
  const account = demo.provider_accounts.find(each => each.provider === provider && each.mode === 'test')
  if (!account) throw new Error(`the demonstration has no account at ${provider}`)
  await replaceEntitlements(app, null, tenantId, [{ providerAccountId: account.id, priority: 0 }])
  const { key } = await createApiKey(app, null, tenantId, { name: 'test', mode: 'test' })
  const user = { email: `${randomUUID()}@example.com`, password: 'correct horse' }
  await createUser(app, null, tenantId, user)
  return { ...merchantOf(demo, key), ...user, provider, tenantId, accountId: account.id }
}
