// Creates the merchants for a fault-injection round: one for each provider, and two with all providers, so that
// another provider can be charged if one fails.

import type { App } from '../../packages/server/src/app.ts'
import { createApiKey } from '../../packages/server/src/auth/api-keys/create-api-key.ts'
import { createUser } from '../../packages/server/src/auth/users/create-user.ts'
import { compose } from '../../packages/server/src/compose.ts'
import { type DatabaseUrls, migrateDatabase } from '../../packages/server/src/db/migrate/prepare-database.ts'
import { prepareDemo } from '../../packages/server/src/demo/demo.ts'
import { createLog } from '../../packages/server/src/logging/log.ts'
import type { AnyProvider, Channel } from '../../packages/server/src/providers/provider.ts'
import { replaceEntitlements } from '../../packages/server/src/routing/replace-entitlements.ts'
import { createTenant } from '../../packages/server/src/tenants/create-tenant.ts'
import { configureEndpoint } from '../../packages/server/src/webhooks/endpoint/configure-endpoint.ts'

export type Method = { method_type: string; method_detail: Record<string, string> }

export type Merchant = {
  tenantId: string
  key: string
  webhookSecret: string
  email: string
  password: string
  methods: Method[]
}

type Place = { directory: string; baseUrl: string; sandboxUrl: string; receiverUrl: string }

/**
 * The number of minutes after which a payment expires. To let a payment expire, the test must move the clock several
 * times.
 */
export const EXPIRY_MINUTES = 60

const PASSWORD = 'correct horse battery'
const ALL = ['all', 'all too']

export async function makeMerchants(
  urls: DatabaseUrls,
  masterKey: Buffer,
  place: Place,
): Promise<Merchant[]> {
  await migrateDatabase(urls, () => {})
  const { app, close } = await compose({
    databaseUrl: urls.directDatabaseUrl,
    masterKey,
    publicUrl: place.baseUrl,
    webhookAllowPrivate: true,
    smtpUrl: undefined,
    mailFrom: 'Gapura <no-reply@example.com>',
    dataDir: place.directory,
    log: createLog('silent'),
  })
  try {
    const demo = await prepareDemo(app, {
      dataDir: place.directory,
      baseUrl: place.baseUrl,
      sandboxUrl: place.sandboxUrl,
    })
    const accounts = (demo?.provider_accounts ?? []).filter(({ mode }) => mode === 'test')
    const merchants: Merchant[] = []
    for (const name of [...app.providers.keys(), ...ALL]) {
      const own = accounts.filter(({ provider }) => provider === name || ALL.includes(name))
      merchants.push(await makeMerchant(app, name, own, place.receiverUrl))
    }
    return merchants
  } finally {
    await close()
  }
}

async function makeMerchant(
  app: App,
  name: string,
  accounts: { id: string; provider: string }[],
  receiverUrl: string,
): Promise<Merchant> {
  const { id: tenantId } = await createTenant(app, null, {
    name: `Faults ${name}`,
    role: 'client',
    tier: 'enterprise',
    parentId: null,
  })
  const user = { email: `${name.replaceAll(' ', '-')}@faults.example.com`, password: PASSWORD }
  const { id: userId } = await createUser(app, null, tenantId, user)
  await replaceEntitlements(
    app,
    null,
    tenantId,
    accounts.map(({ id }, priority) => ({ providerAccountId: id, priority })),
  )
  const { key } = await createApiKey(app, null, tenantId, { name: 'faults', mode: 'test' })
  const endpoint = await configureEndpoint(app, { tenantId, userId }, `${receiverUrl}/${tenantId}`)
  const methods = methodsOf(accounts.map(({ provider }) => app.providers.get(provider) as AnyProvider))
  return { tenantId, key, webhookSecret: endpoint.secret, ...user, methods }
}

const fields: Record<string, string> = {
  virtual_account: 'bank',
  e_wallet: 'wallet_type',
  over_the_counter: 'store',
}

/** Returns the payment methods accepted by all `providers` for the expiry time `EXPIRY_MINUTES`. */
function methodsOf(providers: AnyProvider[]): Method[] {
  const offered = providers.flatMap(provider =>
    provider.methods.flatMap(({ type, channels }) =>
      channels.map(({ code, limits }) => ({ type, code, isTaken: isLongEnough(limits) })),
    ),
  )
  return offered
    .filter(
      ({ type, code }) =>
        type !== 'cardless_credit' &&
        offered.every(other => other.type !== type || other.code !== code || other.isTaken),
    )
    .map(({ type, code }) => {
      const field = fields[type]
      return { method_type: type, method_detail: { type, ...(field && { [field]: code }) } }
    })
}

const isLongEnough = ({ minExpiryMinutes, maxExpiryMinutes }: Channel['limits']): boolean =>
  minExpiryMinutes <= EXPIRY_MINUTES && maxExpiryMinutes >= EXPIRY_MINUTES
