// Creates the demo data on the first start with an embedded database: an operator (Owner), a reseller
// (Partner) and two merchants (Clients). Their provider accounts use the local sandbox. All secrets are in
// demo.json in the data directory.

import { randomBytes } from 'node:crypto'
import { readFile, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { App } from '../app.ts'
import { createApiKey } from '../auth/api-keys/create-api-key.ts'
import { createUser } from '../auth/users/create-user.ts'
import type { Db } from '../db/db.ts'
import { replaceEntitlements } from '../routing/replace-entitlements.ts'
import { createTenant } from '../tenants/create-tenant.ts'
import { countTenants } from '../tenants/tenant.sql.ts'
import type { Role, Tier } from '../tenants/tenant.ts'
import type { Mode } from '../values/mode.ts'
import { readEndpoint } from '../webhooks/endpoint/read-endpoint.ts'
import { type DemoAccount, makeAccounts, registerAccounts, signUp } from './demo-accounts.ts'

type Login = { tenant_id: string; email: string; password: string }
type Merchant = Login & { live_key: string; test_key: string; webhook_secret: string }

export type Demo = {
  base_url: string
  owner: Login
  partner: Login
  client: Merchant
  client2: Merchant
  sandbox_url: string
  /**
   * The demo's provider accounts. If the service starts on other ports than at its previous start, these accounts are
   * registered again with the new addresses.
   */
  provider_accounts: DemoAccount[]
}

type Place = { dataDir: string; baseUrl: string; sandboxUrl: string }

/**
 * Creates the demo data, or reads the demo data that an earlier start created. Returns undefined if this database was
 * not set up by the demo, or if demo.json was removed.
 */
export async function prepareDemo(app: App, place: Place): Promise<Demo | undefined> {
  const file = join(place.dataDir, 'demo.json')
  if ((await countTenants(app.db)) === 0) return makeDemo(app, place, file)
  const kept = await readDemo(file)
  return kept && moveDemo(app, kept, place, file)
}

/**
 * Creates the demo data. demo.json is written before the commit, so that no tenant ever exists without its
 * secrets. The sandbox gets requests only before and after the transaction, so that the transaction never
 * waits for the sandbox.
 */
async function makeDemo(app: App, place: Place, file: string): Promise<Demo> {
  const merchants = await signUp(app, place.sandboxUrl)
  const demo = await app.db.transaction(async tx => {
    const scoped = { ...app, db: tx as Db }
    const accounts = await makeAccounts(scoped, merchants, place.sandboxUrl)
    const partner = await makeLogin(scoped, 'partner', 'growth', null)
    // A Partner (reseller) can entitle its Clients (merchants) only to provider accounts that the Partner
    // itself may use.
    await entitle(scoped, partner.tenant_id, accounts)
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
  return moveDemo(app, demo, place, file)
}

/** The actor that the audit log records. Null means that the operator runs a command on the server. */
const operator = null

async function makeLogin(app: App, name: string, tier: Tier, parentId: string | null): Promise<Login> {
  const role = name.replace(/\d$/, '') as Role
  const tenant = await createTenant(app, operator, { name: `Demonstration ${name}`, role, tier, parentId })
  const user = { email: `${name}@example.com`, password: randomBytes(18).toString('base64url') }
  await createUser(app, operator, tenant.id, user)
  return { tenant_id: tenant.id, ...user }
}

async function makeMerchant(
  app: App,
  name: string,
  parentId: string | null,
  accounts: { id: string }[],
): Promise<Merchant> {
  const login = await makeLogin(app, name, 'enterprise', parentId)
  await entitle(app, login.tenant_id, accounts)
  return {
    ...login,
    live_key: await makeKey(app, login.tenant_id, 'live'),
    test_key: await makeKey(app, login.tenant_id, 'test'),
    webhook_secret: (await readEndpoint(app, login.tenant_id)).secret,
  }
}

const entitle = (app: App, tenantId: string, accounts: { id: string }[]) =>
  replaceEntitlements(
    app,
    operator,
    tenantId,
    accounts.map(({ id }, priority) => ({ providerAccountId: id, priority })),
  )

const makeKey = async (app: App, tenantId: string, mode: Mode): Promise<string> =>
  (await createApiKey(app, operator, tenantId, { name: 'demonstration', mode })).key

async function moveDemo(app: App, kept: Demo, place: Place, file: string): Promise<Demo> {
  const demo = {
    ...kept,
    base_url: place.baseUrl,
    sandbox_url: place.sandboxUrl,
    provider_accounts: await registerAccounts(app, kept.provider_accounts, place),
  }
  if (JSON.stringify(demo) !== JSON.stringify(kept)) await writeDemo(file, demo)
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
