// Caches the configuration that nearly every request needs, until the database sends a change notification.

import { type Credential, findCredentialInBatch } from '../auth/auth.sql.ts'
import { findSession, type Session } from '../auth/log-in/session.sql.ts'
import { keyRingLoader } from '../auth/tokens/key-ring.ts'
import type { KeyRing } from '../auth/tokens/token.ts'
import type { Db } from '../db/db.ts'
import { inScope } from '../db/tenant-scope.ts'
import { findTenantFeesInBatch } from '../fees/fee-schedule.sql.ts'
import type { TenantFees } from '../fees/fee-schedule.ts'
import { findTenantLimitsInBatch, listTierLimits } from '../limits/limits.sql.ts'
import { type Limits, limitsOfTenant, type OwnLimits, type TierLimits } from '../limits/limits.ts'
import type { Logger } from '../logging/log.ts'
import { accountLoader, type LoadAccount } from '../provider-accounts/load-account.ts'
import type { Providers } from '../providers/provider.ts'
import { findRoutesInBatch } from '../routing/route.sql.ts'
import type { RoutesOf } from '../routing/route.ts'
import type { Secrets } from '../secrets/secrets.ts'
import { findTenant } from '../tenants/tenant.sql.ts'
import type { TenantRecord, Tier } from '../tenants/tenant.ts'
import type { Clock } from '../values/time.ts'
import { endpointLoader, type LoadEndpoint } from '../webhooks/endpoint/load-endpoint.ts'
import { cached, notListening } from './cache.ts'
import { listenForChanges } from './change-listener.ts'

/**
 * Functions that read the configuration, from the cache if possible. A configuration change takes effect within a
 * second.
 */
export type Configuration = {
  credentialOf: (keyHash: Buffer) => Promise<Credential | undefined>
  /**
   * Returns the cached API key with this hash, or undefined if the cache has no current entry for it. Never
   * reads the database.
   */
  cachedCredential: (keyHash: Buffer) => Credential | undefined
  /** Returns the session with the given ID, or undefined if the session has ended or does not exist. */
  sessionOf: (id: string) => Promise<Session | undefined>
  /**
   * Reads a session from the database. Use this function if a cached session, which can be up to a second old, is
   * not recent enough.
   */
  readSession: (id: string) => Promise<Session | undefined>
  tenantOf: (id: string) => Promise<TenantRecord | undefined>
  /** Returns a tenant's limits. The caller passes the tenant's tier, whose limits apply by default. */
  limitsOf: (tenantId: string, tier: Tier) => Promise<Limits>
  /** Returns the fee schedules that can set a tenant's fees. */
  feesOf: (tenantId: string) => Promise<TenantFees>
  /**
   * Removes the tenant's fee schedules from this process's cache immediately, before the change notification
   * arrives.
   */
  forgetFees: (tenantId: string) => void
  accountOf: LoadAccount
  routesOf: RoutesOf
  endpointOf: LoadEndpoint
  keyRing: () => Promise<KeyRing>
}

/**
 * Starts caching the configuration. Changes are written through `db`, a pool of database connections. Notifications of
 * changes arrive on a separate connection to `directDatabaseUrl`.
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
  const sessions = cache(id => findSession(db, id), { dependsOn: ({ userId }) => userId })
  const tenants = cache(id => findTenant(db, id))
  const tierLimits = cache(() => listTierLimits(db))
  const tenantLimits = cache(id => findTenantLimitsInBatch(db, id))
  const fees = cache(id => findTenantFeesInBatch(db, id), {
    dependsOn: ({ partnerId }) => partnerId ?? undefined,
  })
  const accounts = cache(accountLoader(db, secrets, providers))
  const routes = cache(tenantId => findRoutesInBatch(db, tenantId))
  const endpoints = cache(endpointLoader(db, secrets))
  // The service gets no notification when a new key starts to sign tokens. The key ring (the keys for access tokens) is
  // therefore read every half second.
  const ring = cached(keyRingLoader(db, secrets, clock, publicUrl), () => notListening)

  /**
   * Maps each kind of change notification to the function that invalidates the cached entries of the changed
   * object. A newer database schema may send further kinds, which this version ignores.
   */
  const invalidate: Record<string, (key: string) => void> = {
    // The database's notification about a changed API key contains the key's hash in PostgreSQL's bytea
    // format.
    key: hash => credentials.invalidate(hash.replace(/^\\x/, '')),
    session: sessions.invalidate,
    user: sessions.invalidateDependents,
    tenant(id) {
      tenants.invalidate(id)
      credentials.invalidateDependents(id)
    },
    tier_limits: tierLimits.invalidateAll,
    tenant_limits: tenantLimits.invalidate,
    fees: forgetFees,
    account(id) {
      accounts.invalidate(id)
      // It is unknown which tenants' routes use this provider account, so the cached routes of all tenants
      // are invalidated.
      routes.invalidateAll()
    },
    routes: routes.invalidate,
    endpoint: endpoints.invalidate,
  }

  function forgetFees(tenantId: string): void {
    fees.invalidate(tenantId)
    fees.invalidateDependents(tenantId)
  }

  function onListening(isListening: boolean, reason?: unknown): void {
    if (isListening) log.info('listening for configuration changes')
    else log.warn({ err: reason }, 'not listening for configuration changes; polling every 0.5 s instead')
  }

  return {
    configuration: {
      credentialOf: hash => credentials.get(hash.toString('hex')),
      cachedCredential: hash => credentials.peek(hash.toString('hex')),
      async sessionOf(id) {
        const session = await sessions.get(id)
        return session?.isOver ? undefined : session
      },
      readSession: id => inScope(undefined, () => findSession(db, id)),
      tenantOf: tenants.get,
      async limitsOf(tenantId, tier) {
        const [ofTiers, own] = await Promise.all([tierLimits.get(''), tenantLimits.get(tenantId)])
        // The database always has limit rows for both the tier and the tenant, so the result is never undefined.
        return limitsOfTenant(tier, ofTiers as TierLimits, own as OwnLimits)
      },
      // A tenant without fee schedules has empty lists, so the result is never undefined.
      feesOf: async tenantId => (await fees.get(tenantId)) as TenantFees,
      forgetFees,
      accountOf: accounts.get,
      routesOf: async tenantId => (await routes.get(tenantId)) ?? { accounts: [], rules: [] },
      endpointOf: endpoints.get,
      keyRing: async () => {
        const loaded = await ring.get('')
        if (!loaded) throw new Error('there are no keys that sign access tokens')
        return loaded
      },
    },
    stop: changes.stop,
  }
}
