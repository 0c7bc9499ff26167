// The first start of the embedded default sets up a demonstration: an operator, a reseller and two merchants,
// with every provider pointed at the local sandbox. demo.json beside the database tells their secrets.

import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from './app.ts'
import { displayPrefix, newApiKey } from './auth/api-key.ts'
import { insertApiKey, insertUser } from './auth/auth.sql.ts'
import { hashPassword } from './auth/password.ts'
import type { Db } from './db/db.ts'
import { newId } from './id.ts'
import { type Mode, modes } from './mode.ts'
import { credentialsPlace } from './provider-accounts/load-account.ts'
import { insertProviderAccount, setProviderAccountBaseUrl } from './provider-accounts/provider-account.sql.ts'
import { insertEntitlement } from './routing/route.sql.ts'
import { countTenants, insertTenant } from './tenants/tenant.sql.ts'
import type { Role, Tier } from './tenants/tenant.ts'
import { readEndpoint } from './webhooks/configure-endpoint.ts'

type Login = { tenant_id: string; email: string; password: string }
type Merchant = Login & { live_key: string; test_key: string; webhook_secret: string }

export type Demo = {
  base_url: string
  owner: Login
  partner: Login
  client: Merchant
  client2: Merchant
  sandbox_url: string
  /** Provider account ids, so that a later start on other ports can point them at its sandbox. */
  provider_accounts: { id: string; provider: string; mode: Mode }[]
}

/** Credentials that the sandbox takes, in the form of each provider's own. */
const credentials: Record<string, (mode: Mode) => object> = {
  midtrans: mode => ({ server_key: `${mode === 'test' ? 'SB-' : ''}Mid-server-demonstration` }),
}

type Place = { dataDir: string; baseUrl: string; sandboxUrl: string }

/** Undefined where the database was set up by somebody else, or demo.json was taken away. */
export async function prepareDemo(app: App, place: Place): Promise<Demo | undefined> {
  const file = join(place.dataDir, 'demo.json')
  if ((await countTenants(app.db)) === 0) return makeDemo(app, place, file)
  const kept = await readDemo(file)
  return kept && moveDemo(app, kept, place, file)
}

/** The file is written before the commit: whenever the tenants are there, so are their secrets. */
function makeDemo(app: App, place: Place, file: string): Promise<Demo> {
  return app.db.transaction(async tx => {
    const scoped = { ...app, db: tx as Db }
    const accounts = await makeProviderAccounts(scoped, place.sandboxUrl)
    const partner = await makeLogin(scoped, 'partner', 'growth', null)
    const demo: Demo = {
      base_url: place.baseUrl,
      owner: await makeLogin(scoped, 'owner', 'enterprise', null),
      partner,
      client: await makeMerchant(scoped, 'client', partner.tenant_id, accounts),
      client2: await makeMerchant(scoped, 'client2', null, accounts),
      sandbox_url: place.sandboxUrl,
      provider_accounts: accounts,
    }
    await writeDemo(file, demo)
    return demo
  })
}

async function makeProviderAccounts(app: App, sandboxUrl: string): Promise<Demo['provider_accounts']> {
  const accounts: Demo['provider_accounts'] = []
  for (const provider of app.providers.values()) {
    for (const mode of modes) {
      const id = newId()
      const secret = credentials[provider.code]?.(mode)
      if (!secret) throw new Error(`the demonstration has no credentials for ${provider.code}`)
      await insertProviderAccount(app.db, {
        id,
        providerCode: provider.code,
        mode,
        name: `Demonstration ${provider.name} ${mode}`,
        credentialsSealed: await app.secrets.seal(JSON.stringify(secret), credentialsPlace(id)),
        baseUrl: `${sandboxUrl}/${provider.code}`,
        enabled: true,
      })
      accounts.push({ id, provider: provider.code, mode })
    }
  }
  return accounts
}

async function makeLogin(app: App, name: string, tier: Tier, parentId: string | null): Promise<Login> {
  const role = name.replace(/\d$/, '') as Role
  const login = {
    tenant_id: newId(),
    email: `${name}@example.com`,
    password: randomBytes(18).toString('base64url'),
  }
  await insertTenant(app.db, {
    id: login.tenant_id,
    role,
    tier,
    name: `Demonstration ${name}`,
    parentId,
    status: 'active',
  })
  await insertUser(app.db, {
    id: newId(),
    tenantId: login.tenant_id,
    email: login.email,
    passwordHash: await hashPassword(login.password),
  })
  return login
}

async function makeMerchant(
  app: App,
  name: string,
  parentId: string | null,
  accounts: { id: string }[],
): Promise<Merchant> {
  const login = await makeLogin(app, name, 'enterprise', parentId)
  for (const [index, account] of accounts.entries())
    await insertEntitlement(app.db, login.tenant_id, account.id, index)
  return {
    ...login,
    live_key: await makeKey(app, login.tenant_id, 'live'),
    test_key: await makeKey(app, login.tenant_id, 'test'),
    webhook_secret: (await readEndpoint(app, login.tenant_id)).secret,
  }
}

async function makeKey(app: App, tenantId: string, mode: Mode): Promise<string> {
  const key = newApiKey(mode)
  await insertApiKey(app.db, {
    id: newId(),
    tenantId,
    mode,
    name: 'demonstration',
    keyHash: app.secrets.hash(key),
    displayPrefix: displayPrefix(key),
  })
  return key
}

async function moveDemo(app: App, kept: Demo, place: Place, file: string): Promise<Demo> {
  const demo = { ...kept, base_url: place.baseUrl, sandbox_url: place.sandboxUrl }
  for (const { id, provider } of demo.provider_accounts) {
    await setProviderAccountBaseUrl(app.db, id, `${place.sandboxUrl}/${provider}`)
  }
  if (demo.base_url !== kept.base_url || demo.sandbox_url !== kept.sandbox_url) await writeDemo(file, demo)
  return demo
}

async function readDemo(file: string): Promise<Demo | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Demo
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

async function writeDemo(file: string, demo: Demo): Promise<void> {
  await writeFile(`${file}.new`, `${JSON.stringify(demo, null, 2)}\n`, { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** What a newcomer reads: two commands to paste, one after the other. */
export function banner(demo: Demo | undefined, baseUrl: string, file: string): string {
  if (!demo) return `\nGapura is ready at ${baseUrl}\n\n`
  const order = JSON.stringify({
    amount: 10_000_000,
    currency: 'IDR',
    method_type: 'virtual_account',
    method_detail: { type: 'virtual_account', bank: 'BCA' },
  })
  return `
Gapura is ready at ${baseUrl}
Provider sandbox   ${demo.sandbox_url}
Logins and keys    ${file}

Create a payment:
  code=$(curl -s ${baseUrl}/v1/payments/create -H 'Authorization: ApiKey ${demo.client.test_key}' -H "X-Idempotency-Key: order-$(date +%s)" -H 'Content-Type: application/json' -d '${order}' | tee /dev/stderr | sed 's/.*"payment_code":"\\([^"]*\\)".*/\\1/')

Pay it at the provider:
  curl -s ${demo.sandbox_url}/simulate -H 'Content-Type: application/json' -d "{\\"payment_code\\":\\"$code\\",\\"outcome\\":\\"paid\\"}"

`
}
