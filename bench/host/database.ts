// Creates a migrated database with the requested number of payments, one sandbox provider account, and clients with
// known API keys. As in production, secrets are encrypted and hashed with a master key.

import { randomBytes } from 'node:crypto'
import pg from 'pg'
import { displayPrefix, newApiKey } from '../../packages/server/src/auth/api-keys/api-key.ts'
import { createDb } from '../../packages/server/src/db/db.ts'
import { migrate } from '../../packages/server/src/db/migrate/migrate.ts'
import { encryptCredentials } from '../../packages/server/src/provider-accounts/credentials.ts'
import { midtrans } from '../../packages/server/src/providers/midtrans/midtrans.ts'
import { loadSecrets, type Secrets } from '../../packages/server/src/secrets/secrets.ts'
import { newId } from '../../packages/server/src/values/id.ts'
import { newWebhookSecret } from '../../packages/server/src/webhooks/delivery/sign.ts'
import { webhookSecretContext } from '../../packages/server/src/webhooks/endpoint/endpoint-secrets.ts'
import { type SeedOptions, seed } from '../seed/seed.ts'
import type { Postgres } from './postgres.ts'
import { registerMidtrans, type Sandbox } from './sandbox.ts'

export type Tenant = { id: string; keys: string[]; webhookSecret: string }

export type Database = {
  url: string
  payments: number
  masterKey: Buffer
  tenants: Tenant[]
  /** A live Midtrans provider account that every tenant may use. */
  account: { id: string; serverKey: string }
}

/**
 * The number of API keys per tenant. A tenant spreads its requests over these keys, so that no key reaches
 * its rate limit during a measurement.
 */
const KEYS_OF_TENANT = 4

export async function createDatabase(
  postgres: Postgres,
  sandbox: Sandbox,
  { name, tenants = 1_000, ...seeding }: { name: string } & SeedOptions,
): Promise<Database> {
  await postgres.createDatabase(name)
  const url = postgres.urlOf(name)
  await migrate(url)
  const masterKey = randomBytes(32)
  const db = createDb(url, { max: 1 })
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const secrets = await loadSecrets(db, { masterKey })
    const account = { id: newId(), serverKey: `Mid-server-${randomBytes(20).toString('hex')}` }
    await registerMidtrans(sandbox, account.serverKey)
    await insertAccount(client, secrets, account, sandbox)
    const made = await insertTenants(client, secrets, account.id, tenants)
    if (seeding.payments > 0) await seed(url, { ...seeding, tenants })
    return { url, payments: seeding.payments, masterKey, account, tenants: made }
  } finally {
    await client.end()
    await db.destroy()
  }
}

async function insertAccount(
  client: pg.Client,
  secrets: Secrets,
  { id, serverKey }: Database['account'],
  { url }: Sandbox,
): Promise<void> {
  const sealed = await encryptCredentials(secrets, midtrans, id, { server_key: serverKey })
  await client.query(
    `insert into provider_accounts (id, provider_code, mode, name, credentials_sealed, base_url)
     values ($1, 'midtrans', 'live', 'Bench', $2, $3)`,
    [id, sealed, `${url}/midtrans`],
  )
}

async function insertTenants(
  client: pg.Client,
  secrets: Secrets,
  accountId: string,
  count: number,
): Promise<Tenant[]> {
  const tenants = Array.from({ length: count }, () => ({
    id: newId(),
    keys: Array.from({ length: KEYS_OF_TENANT }, () => newApiKey('live')),
    webhookSecret: newWebhookSecret(),
  }))
  const ids = tenants.map(({ id }) => id)
  const sealed = await Promise.all(
    tenants.map(({ id, webhookSecret }) => secrets.encrypt(webhookSecret, webhookSecretContext(id))),
  )
  const keys = tenants.flatMap(({ id, keys }) => keys.map(key => ({ tenantId: id, key })))
  await client.query(
    `with made as (
       insert into tenants (id, role, tier, name)
       select id, 'client', 'enterprise', 'Bench ' || n from unnest($1::uuid[]) with ordinality as t (id, n)
       returning id
     )
     insert into balances (tenant_id, mode) select id, mode from made, unnest(array['live', 'test']) mode`,
    [ids],
  )
  await client.query(
    'insert into entitlements (tenant_id, provider_account_id) select id, $2 from unnest($1::uuid[]) id',
    [ids, accountId],
  )
  await client.query(
    'insert into webhook_endpoints (tenant_id, secret_sealed) select * from unnest($1::uuid[], $2::text[])',
    [ids, sealed],
  )
  await client.query(
    `insert into api_keys (id, tenant_id, mode, name, key_hash, display_prefix)
     select id, tenant_id, 'live', 'bench', key_hash, prefix
     from unnest($1::uuid[], $2::uuid[], $3::bytea[], $4::text[]) as k (id, tenant_id, key_hash, prefix)`,
    [
      keys.map(() => newId()),
      keys.map(({ tenantId }) => tenantId),
      keys.map(({ key }) => secrets.hash(key)),
      keys.map(({ key }) => displayPrefix(key)),
    ],
  )
  return tenants
}
