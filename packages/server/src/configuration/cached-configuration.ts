// Caches the configuration that nearly every request needs, until the database sends a notification of a change.

import { type Credential, findCredentialInBatch } from '../auth/auth.sql.ts'
import { findSession } from '../auth/log-in/session.sql.ts'
import { keyRingLoader } from '../auth/tokens/key-ring.ts'
import type { KeyRing } from '../auth/tokens/token.ts'
import type { Db } from '../db/db.ts'
import { findTenantLimitsInBatch, listTierLimits } from '../limits/limits.sql.ts'
import { type Limits, limitsOfTenant, type OwnLimits, type TierLimits } from '../limits/limits.ts'
import type { Logger } from '../logging/log.ts'
import { accountLoader, type LoadAccount } from '../provider-accounts/load-account.ts'
import type { Providers } from '../providers/provider.ts'
import { findRoutesInBatch } from '../routing/route.sql.ts'
import type { RoutesOf } from '../routing/route.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { findTenant } from '../tenants/tenant.sql.ts'
import type { Tenant, Tier } from '../tenants/tenant.ts'
import type { Clock } from '../values/time.ts'
import { endpointLoader, type LoadEndpoint } from '../webhooks/endpoint/load-endpoint.ts'
import { cached, notListening } from './cache.ts'
import { listenForChanges } from './change-listener.ts'

/** Functions that read the configuration. A change of the configuration takes effect within a second. */
export type Configuration = {
  credentialOf: (keyHash: Buffer) => Promise<Credential | undefined>
  /** Returns a cached credential without a read, or undefined if it is not cached. */
  cachedCredential: (keyHash: Buffer) => Credential | undefined
  /** Returns true for a session that was revoked or does not exist. */
  isSessionEnded: (id: string) => Promise<boolean>
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
export function cacheConfiguration(
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
  const changes = listenForChanges(directDatabaseUrl, db, {
    onChange: (kind, key) => invalidate[kind]?.(key),
    onListening,
  })

  const cache = <Value extends object>(
    read: (key: string) => Promise<Value | undefined>,
    options?: Parameters<typeof cached<Value>>[2],
  ) => cached(read, changes.listeningPeriod, options)

  const credentials = cache(hash => findCredentialInBatch(db, Buffer.from(hash, 'hex')), {
    lifetimeMs: ({ livesMs }) => livesMs ?? Number.POSITIVE_INFINITY,
    dependsOn: ({ tenantId }) => tenantId,
  })
  const sessions = cache(id => findSession(db, id))
  const tenants = cache(id => findTenant(db, id))
  const tierLimits = cache(() => listTierLimits(db))
  const tenantLimits = cache(id => findTenantLimitsInBatch(db, id))
  const accounts = cache(accountLoader(db, secrets, providers))
  const routes = cache(tenantId => findRoutesInBatch(db, tenantId))
  const endpoints = cache(endpointLoader(db, secrets))
  // The signing key also depends on the time, so notifications alone are not enough. The key ring is read again every
  // half second, which is cheap because there is only one.
  const ring = cached(keyRingLoader(db, secrets, clock, publicUrl), () => notListening)

  /**
   * The kind of a notification, as the migration defines it → the function that invalidates the changed entries. Kinds
   * that only a newer schema has are ignored.
   */
  const invalidate: Record<string, (key: string) => void> = {
    // The notification contains the hash in PostgreSQL's bytea format.
    key: hash => credentials.invalidate(hash.replace(/^\\x/, '')),
    session: sessions.invalidate,
    tenant(id) {
      tenants.invalidate(id)
      credentials.invalidateDependents(id)
    },
    tier_limits: tierLimits.invalidateAll,
    tenant_limits: tenantLimits.invalidate,
    account(id) {
      accounts.invalidate(id)
      // All routes are invalidated, because the notification does not contain the tenants whose routes use the account.
      routes.invalidateAll()
    },
    routes: routes.invalidate,
    endpoint: endpoints.invalidate,
  }

  function onListening(isListening: boolean, reason?: unknown): void {
    if (isListening) log.info('listening for configuration changes')
    else log.warn({ err: reason }, 'not listening for configuration changes; polling every 0.5 s instead')
  }

  return {
    configuration: {
      credentialOf: hash => credentials.get(hash.toString('hex')),
      cachedCredential: hash => credentials.peek(hash.toString('hex')),
      isSessionEnded: async id => (await sessions.get(id))?.isOver ?? true,
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
