// Caches the configuration that nearly every request needs, until the database sends a notification of a change.

import type { App } from '../app.ts'
import { findCredential } from '../auth/auth.sql.ts'
import { findSession } from '../auth/log-in/session.sql.ts'
import { keyRingLoader } from '../auth/tokens/key-ring.ts'
import { findTenantLimits, listTierLimits } from '../limits/limits.sql.ts'
import { limitsOfTenant, type OwnLimits, type TierLimits } from '../limits/limits.ts'
import { accountLoader } from '../provider-accounts/load-account.ts'
import { findRoutes } from '../routing/route.sql.ts'
import { findTenant } from '../tenants/tenant.sql.ts'
import { endpointLoader } from '../webhooks/endpoint/load-endpoint.ts'
import { deaf, kept } from './cache.ts'
import { hearChanges } from './changes.ts'

export type Configuration = Pick<
  App,
  | 'credentialOf'
  | 'credentialAtHand'
  | 'isSessionOver'
  | 'tenantOf'
  | 'limitsOf'
  | 'accountOf'
  | 'routesOf'
  | 'endpointOf'
  | 'keyRing'
>

/**
 * Starts caching. The process receives notifications of changes, which are made through `db`, on a connection to
 * `directDatabaseUrl`.
 */
export function keepConfiguration(
  {
    db,
    secrets,
    clock,
    providers,
    log,
    publicUrl,
  }: Pick<App, 'db' | 'secrets' | 'clock' | 'providers' | 'log' | 'publicUrl'>,
  directDatabaseUrl: string,
): { configuration: Configuration; stop(): Promise<void> } {
  const changes = hearChanges(directDatabaseUrl, db, { changed: (kind, key) => drop[kind]?.(key), hears })

  const credentials = kept(hash => findCredential(db, Buffer.from(hash, 'hex')), changes.hearing, {
    livesMs: ({ livesMs }) => livesMs ?? Number.POSITIVE_INFINITY,
    partOf: ({ tenantId }) => tenantId,
  })
  const sessions = kept(id => findSession(db, id), changes.hearing)
  const tenants = kept(id => findTenant(db, id), changes.hearing)
  const tierLimits = kept(() => listTierLimits(db), changes.hearing)
  const tenantLimits = kept(id => findTenantLimits(db, id), changes.hearing)
  const accounts = kept(accountLoader(db, secrets, providers), changes.hearing)
  const routes = kept(tenantId => findRoutes(db, tenantId), changes.hearing)
  const endpoints = kept(endpointLoader(db, secrets), changes.hearing)
  // Which key signs tokens also depends on the time, so notifications alone do not suffice. The key ring is therefore
  // read every half second, which is cheap because there is only one.
  const ring = kept(keyRingLoader(db, secrets, clock, publicUrl), () => deaf)

  /**
   * The kind of a notification, as the migration defines it → the function that drops the changed entries. Kinds that
   * only a newer schema has are ignored.
   */
  const drop: Record<string, (key: string) => void> = {
    // The notification contains the hash in PostgreSQL's bytea format.
    key: hash => credentials.drop(hash.replace(/^\\x/, '')),
    session: sessions.drop,
    tenant(id) {
      tenants.drop(id)
      credentials.dropPartsOf(id)
    },
    tier_limits: tierLimits.dropAll,
    tenant_limits: tenantLimits.drop,
    account(id) {
      accounts.drop(id)
      // All routes are dropped, because the notification does not contain the tenants whose routes use the account.
      routes.dropAll()
    },
    routes: routes.drop,
    endpoint: endpoints.drop,
  }

  function hears(does: boolean, reason?: unknown): void {
    if (does) log.info('listening for configuration changes')
    else log.warn({ err: reason }, 'not listening for configuration changes; polling every 0.5 s instead')
  }

  return {
    configuration: {
      credentialOf: hash => credentials.get(hash.toString('hex')),
      credentialAtHand: hash => credentials.atHand(hash.toString('hex')),
      isSessionOver: async id => (await sessions.get(id))?.isOver ?? true,
      tenantOf: tenants.get,
      async limitsOf(tenantId, tier) {
        const [ofTiers, own] = await Promise.all([tierLimits.get(''), tenantLimits.get(tenantId)])
        // The limits of the tiers and of the tenant always exist.
        return limitsOfTenant(tier, ofTiers as TierLimits, own as OwnLimits)
      },
      accountOf: accounts.get,
      routesOf: async tenantId => (await routes.get(tenantId)) ?? { accounts: [], rules: [] },
      endpointOf: endpoints.get,
      keyRing: async () => {
        const loaded = await ring.get('')
        if (!loaded) throw new Error('the signing keys are gone')
        return loaded
      },
    },
    stop: changes.stop,
  }
}
