// Caches the configuration that nearly every request needs, until the database sends a notification of a change.

import { type Credential, findCredential } from '../auth/auth.sql.ts'
import { findSession } from '../auth/log-in/session.sql.ts'
import { keyRingLoader } from '../auth/tokens/key-ring.ts'
import type { KeyRing } from '../auth/tokens/token.ts'
import type { Db } from '../db/db.ts'
import { findTenantLimits, listTierLimits } from '../limits/limits.sql.ts'
import { type Limits, limitsOfTenant, type OwnLimits, type TierLimits } from '../limits/limits.ts'
import type { Logger } from '../logging/log.ts'
import { accountLoader, type LoadAccount } from '../provider-accounts/load-account.ts'
import type { Providers } from '../providers/provider.ts'
import { findRoutes } from '../routing/route.sql.ts'
import type { RoutesOf } from '../routing/route.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { findTenant } from '../tenants/tenant.sql.ts'
import type { Tenant, Tier } from '../tenants/tenant.ts'
import type { Clock } from '../values/time.ts'
import { endpointLoader, type LoadEndpoint } from '../webhooks/endpoint/load-endpoint.ts'
import { deaf, kept } from './cache.ts'
import { hearChanges } from './changes.ts'

/** Functions that read the configuration. A change of the configuration takes effect within a second. */
export type Configuration = {
  credentialOf: (keyHash: Buffer) => Promise<Credential | undefined>
  /** Returns a cached credential without a read, or undefined if it is not cached. */
  credentialAtHand: (keyHash: Buffer) => Credential | undefined
  /** Returns true for a session that was revoked or does not exist. */
  isSessionOver: (id: string) => Promise<boolean>
  tenantOf: (id: string) => Promise<Tenant | undefined>
  /** Returns the limits of a tenant. `tier` is the tenant's tier. */
  limitsOf: (tenantId: string, tier: Tier) => Promise<Limits>
  accountOf: LoadAccount
  routesOf: RoutesOf
  endpointOf: LoadEndpoint
  keyRing: () => Promise<KeyRing>
}

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
  }: { db: Db; secrets: Secrets; clock: Clock; providers: Providers; log: Logger; publicUrl: string },
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
