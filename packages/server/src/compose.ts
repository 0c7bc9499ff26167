// Config → App. The only place where the parts are put together.

import type { Logger } from 'pino'
import { Registry } from 'prom-client'
import type { App } from './app.ts'
import { findCredential } from './auth/auth.sql.ts'
import { writeKeyUses } from './auth/key.sql.ts'
import { keyRingLoader } from './auth/key-ring.ts'
import { keyUses } from './auth/key-use.ts'
import { loginLimit } from './auth/login-limit.sql.ts'
import { coalesce } from './coalesce.ts'
import { createDb, isDatabaseAway } from './db/db.ts'
import { type MailConfig, mailSender } from './mail/send-mail.ts'
import { recordEvents } from './payments/record-event.ts'
import { accountLoader } from './provider-accounts/load-account.ts'
import { watchHealth } from './provider-accounts/watch-health.ts'
import { providers } from './providers/registry.ts'
import { recent } from './recent.ts'
import { findRoutes } from './routing/route.sql.ts'
import { loadSecrets, type MasterKeys } from './secrets.ts'
import { findTenant } from './tenants/tenant.sql.ts'

const POOL_SIZE = 20
const EVENTS_AT_ONCE = 200

export type Composed = { app: App; close(): Promise<void> }

export async function compose(
  config: MasterKeys &
    MailConfig & {
      databaseUrl: string
      publicUrl: string
      webhookAllowPrivate: boolean
      log: Logger
    },
  overrides: Partial<App> = {},
): Promise<Composed> {
  const db = overrides.db ?? createDb(config.databaseUrl, { max: POOL_SIZE })
  const secrets = overrides.secrets ?? (await loadSecrets(db, config))
  const clock = overrides.clock ?? (() => new Date())
  const registry = overrides.providers ?? providers
  const metrics = new Registry()
  const accountOf = overrides.accountOf ?? accountLoader(db, secrets, registry)
  const health = overrides.health ?? watchHealth({ accountOf, clock, log: config.log, registry: metrics })
  const ring = recent(keyRingLoader(db, secrets, clock, config.publicUrl))
  const credential = recent(hash => findCredential(db, Buffer.from(hash, 'hex')))

  const uses = keyUses((noted, resolutionMs) => writeKeyUses(db, noted, resolutionMs), {
    clock,
    failed: error => config.log.warn({ err: error }, 'when keys were used could not be written'),
  })

  const app: App = {
    db,
    secrets,
    clock,
    providers: registry,
    log: config.log,
    publicUrl: config.publicUrl,
    webhookAllowPrivate: config.webhookAllowPrivate,
    loginLimit: loginLimit(db),
    sendMail: mailSender(config),
    record: coalesce(reports => db.transaction(tx => recordEvents(tx, reports, clock())), {
      batchSize: EVENTS_AT_ONCE,
      isShared: isDatabaseAway,
    }),
    noteKeyUse: uses.note,
    tenantOf: recent(id => findTenant(db, id)),
    credentialOf: hash => credential(hash.toString('hex')),
    accountOf,
    health,
    metrics,
    routesOf: async id => (await routes(id)) ?? { accounts: [], rules: [] },
    keyRing: async () => {
      const loaded = await ring('')
      if (!loaded) throw new Error('the signing keys are gone')
      return loaded
    },
    ...overrides,
  }
  const routes = recent(id => findRoutes(db, id))
  return {
    app,
    async close() {
      health.stop()
      await uses.stop()
      await db.destroy()
    },
  }
}
