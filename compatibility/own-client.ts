// Creates a separate merchant for one test file, because the shared merchant's lists, request logs and
// webhooks also contain actions by other test files.

import { randomUUID } from 'node:crypto'
import type { Demo } from '../packages/server/src/demo/demo.ts'
import { http, logIn } from '../packages/server/test/support/merchant.ts'

/** Creates a Client (a merchant's tenant) that may use all provider test accounts, with one user and one API key. */
export async function ownClient(demo: Demo) {
  const auth = await logIn(demo, demo.owner)
  async function asOwner(method: string, path: string, body: object) {
    const { status, data, text } = await http(method, `${demo.base_url}/v1/tenants${path}`, { auth, body })
    if (status !== 200) throw new Error(text)
    return data
  }
  const { id } = await asOwner('POST', '', { name: 'Toko Budi', role: 'client', tier: 'enterprise' })
  await asOwner('PUT', `/${id}/entitlements`, {
    items: demo.provider_accounts
      .filter(({ mode }) => mode === 'test')
      .map((account, priority) => ({ provider_account_id: account.id, priority })),
  })
  const user = { email: `${randomUUID()}@example.com`, password: randomUUID() }
  await asOwner('POST', `/${id}/users`, user)
  const { key } = await asOwner('POST', `/${id}/api-keys`, { mode: 'test' })
  return { ...user, tenant_id: id as string, test_key: key as string }
}
