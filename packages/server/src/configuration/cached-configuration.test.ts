import { randomBytes } from 'node:crypto'
import { describe, expect, test, vi } from 'vitest'
import { atEnd } from '../../test/support/at-end.ts'
import { testDatabase } from '../../test/support/database.ts'
import { later, makeTenant, now } from '../../test/support/make.ts'
import { expireKey, insertApiKey, revokeKey, writeKeyUses } from '../auth/api-keys/key.sql.ts'
import {
  insertRefreshToken,
  markRefreshTokenUsed,
  revokeFamily,
  revokeSessionsOfUser,
} from '../auth/log-in/session.sql.ts'
import { insertUser } from '../auth/users/user.sql.ts'
import { updateTierLimits, upsertTenantLimits } from '../limits/limits.sql.ts'
import { inheritsAll } from '../limits/limits.ts'
import { createLog } from '../logging/log.ts'
import { credentialsContext } from '../provider-accounts/credentials.ts'
import {
  insertProviderAccount,
  setProviderAccountBaseUrl,
  updateProviderAccountRow,
} from '../provider-accounts/provider-account.sql.ts'
import { providers } from '../providers/registry.ts'
import { replaceEntitlementRows } from '../routing/entitlement.sql.ts'
import { replaceRules } from '../routing/routing-rule.sql.ts'
import { deriveSecrets } from '../secrets/secrets.ts'
import { updateTenantRow } from '../tenants/tenant.sql.ts'
import { newId } from '../values/id.ts'
import { insertEndpoint, replaceSecret, setCallbackUrl } from '../webhooks/endpoint/endpoint.sql.ts'
import { signingSecrets, webhookSecretContext } from '../webhooks/endpoint/endpoint-secrets.ts'
import type { LoadedEndpoint } from '../webhooks/endpoint/load-endpoint.ts'
import { cacheConfiguration } from './cached-configuration.ts'

const { url, db, owner } = await testDatabase()
const secrets = deriveSecrets(randomBytes(32))

// The test's clock does not advance, so cache entries do not expire by age. Only a change notification makes
// the cache read an entry again.
vi.spyOn(performance, 'now').mockReturnValue(1_000)
atEnd(() => vi.restoreAllMocks())

const log = createLog('silent')
const heard = vi.spyOn(log, 'info')
const { configuration, stop } = cacheConfiguration(
  { db, secrets, clock: () => now, providers, log, publicUrl: 'http://127.0.0.1' },
  url,
)
atEnd(stop)
await vi.waitFor(() => expect(heard).toHaveBeenCalled(), 120_000)

let queries = 0
db.on('query', () => queries++)
/** Returns the number of database queries that `read` makes. */
async function queriesFor(read: () => Promise<unknown>): Promise<number> {
  const before = queries
  await read()
  return queries - before
}
const until = <Value>(read: () => Promise<Value>, expected: unknown) =>
  vi.waitFor(async () => expect(await read()).toEqual(expected), 120_000)

async function makeKey(tenantId: string) {
  const key = { id: newId(), keyHash: randomBytes(32) }
  await insertApiKey(db, {
    ...key,
    tenantId,
    mode: 'test',
    name: 'key',
    displayPrefix: 'gp_',
    createdBy: null,
    scopes: [],
    allowedIps: [],
  })
  return { ...key, tenantId, read: () => configuration.credentialOf(key.keyHash) }
}
type Key = Awaited<ReturnType<typeof makeKey>>

async function makeAccount() {
  const id = newId()
  await insertProviderAccount(db, {
    id,
    providerCode: 'midtrans',
    mode: 'test',
    name: 'Midtrans',
    credentialsSealed: await secrets.encrypt('{"server_key":"SB-Mid-server-1"}', credentialsContext(id)),
    baseUrl: 'http://127.0.0.1:1',
    enabled: true,
    callbackSources: [],
    inquireAbove: null,
  })
  return id
}

describe('a cached API key is accepted only until it is revoked, expires or is deleted', () => {
  test('a cached API key is rejected once it is revoked, expired or deleted', async () => {
    const tenantId = await makeTenant(db)
    const keys = await Promise.all(Array.from({ length: 4 }, () => makeKey(tenantId)))
    for (const key of keys) expect(await key.read()).toMatchObject({ keyId: key.id, livesMs: null })
    const [revoked, expired, gone, other] = keys as [Key, Key, Key, Key]
    await db.transaction(tx => revokeKey(tx, tenantId, revoked.id))
    await db.transaction(tx => expireKey(tx, tenantId, expired.id, 0))
    await owner.raw('delete from api_keys where id = ?', [gone.id])
    for (const key of [revoked, expired, gone]) await until(key.read, undefined)
    expect(await queriesFor(other.read)).toBe(0)
  })

  test('a cached API key is not accepted after it expires', async () => {
    const key = await makeKey(await makeTenant(db))
    await db.transaction(tx => expireKey(tx, key.tenantId, key.id, 1))
    const { livesMs } = (await key.read()) as { livesMs: number }
    expect(livesMs).toBeGreaterThan(0)
    expect(livesMs).toBeLessThanOrEqual(60_000)
  })

  test('using a cached API key causes no further database read', async () => {
    const [key, other] = [await makeKey(await makeTenant(db)), await makeKey(await makeTenant(db))]
    await Promise.all([key.read(), other.read()])
    await writeKeyUses(db, [{ id: key.id, at: now }], 0)
    await db.transaction(tx => revokeKey(tx, other.tenantId, other.id))
    await until(other.read, undefined)
    expect(await queriesFor(key.read)).toBe(0)
  })
})

describe('if a session is revoked, a change notification from the database also removes the session from the cache', () => {
  async function startSession(userId: string) {
    const [familyId, tokenHash] = [newId(), randomBytes(32)]
    await db.transaction(tx =>
      insertRefreshToken(tx, { tokenHash, familyId, userId, issuedAt: now, expiresAt: later(1_000) }),
    )
    return {
      familyId,
      tokenHash,
      isOver: async () => (await configuration.sessionOf(familyId)) === undefined,
    }
  }
  async function makeUser() {
    const id = newId()
    await insertUser(db, {
      id,
      tenantId: await makeTenant(db),
      email: `${id}@example.com`,
      passwordHash: 'none',
      permissions: ['admin'],
    })
    return id
  }

  test("a cached session ends when it is revoked, but its user's other sessions stay cached", async () => {
    const userId = await makeUser()
    const [ended, other] = [await startSession(userId), await startSession(userId)]
    expect([await ended.isOver(), await other.isOver()]).toEqual([false, false])
    await db.transaction(tx => revokeFamily(tx, ended.familyId, now))
    await until(ended.isOver, true)
    expect(await queriesFor(other.isOver)).toBe(0)
  })

  test('the cache remembers that a session has ended, so its access token causes no database reads', async () => {
    const userId = await makeUser()
    const [ended, another] = [await startSession(userId), await startSession(await makeUser())]
    expect(await another.isOver()).toBe(false)
    await db.transaction(tx => revokeSessionsOfUser(tx, userId, now))
    // Notifications arrive in order. Once the session `another` has ended in the cache, the earlier notification about
    // the session `ended` has arrived too.
    await db.transaction(tx => revokeFamily(tx, another.familyId, now))
    await until(another.isOver, true)
    expect(await ended.isOver()).toBe(true)
    expect(await queriesFor(ended.isOver)).toBe(0)
  })

  test("renewing a cached session's refresh token causes no further database read", async () => {
    const userId = await makeUser()
    const [session, other] = [await startSession(userId), await startSession(userId)]
    await Promise.all([session.isOver(), other.isOver()])
    await db.transaction(async tx => {
      await markRefreshTokenUsed(tx, session.tokenHash, now)
      const next = { tokenHash: randomBytes(32), familyId: session.familyId, userId }
      await insertRefreshToken(tx, { ...next, issuedAt: now, expiresAt: later(1_000) })
    })
    await db.transaction(tx => revokeFamily(tx, other.familyId, now))
    await until(other.isOver, true)
    expect(await queriesFor(session.isOver)).toBe(0)
  })

  test('looking up a session that has ended or never existed returns undefined', async () => {
    expect(await configuration.sessionOf(newId())).toBeUndefined()
  })
})

test('after a tenant is suspended, its cached API keys have the new tenant status', async () => {
  const [id, otherId] = [await makeTenant(db), await makeTenant(db)]
  const [key, other] = [await makeKey(id), await makeKey(otherId)]
  await Promise.all([key.read(), other.read(), configuration.tenantOf(id), configuration.tenantOf(otherId)])
  const changed = { id, name: 'Toko', tier: 'starter', status: 'suspended', suspendedByOwner: true } as const
  await db.transaction(tx => updateTenantRow(tx, changed))
  await until(async () => (await configuration.tenantOf(id))?.status, 'suspended')
  expect(await key.read()).toMatchObject({ tenantStatus: 'suspended', tier: 'starter' })
  expect(await queriesFor(other.read)).toBe(0)
  expect(await queriesFor(() => configuration.tenantOf(otherId))).toBe(0)
})

test("new limits for a tenant or a tier remove every affected tenant's old limits from the cache", async () => {
  const [id, otherId] = [await makeTenant(db), await makeTenant(db)]
  const rateOf = async (tenantId: string) =>
    (await configuration.limitsOf(tenantId, 'starter')).requestsPerSecond
  expect([await rateOf(id), await rateOf(otherId)]).toEqual([50, 50])
  await db.transaction(tx => upsertTenantLimits(tx, id, { ...inheritsAll, requestsPerSecond: 70 }))
  await until(() => rateOf(id), 70)
  expect(await queriesFor(() => rateOf(otherId))).toBe(0)
  await db.transaction(tx => updateTierLimits(tx, 'starter', { ...inheritsAll, requestsPerSecond: 60 }))
  await until(() => rateOf(otherId), 60)
  expect(await rateOf(id)).toBe(70)
  await db.transaction(async tx => {
    await upsertTenantLimits(tx, id, inheritsAll)
    await updateTierLimits(tx, 'starter', inheritsAll)
  })
  await until(async () => [await rateOf(id), await rateOf(otherId)], [50, 50])
})

test('after a provider account changes, the account and all routes to it are read again', async () => {
  const [id, otherId, tenantId] = [await makeAccount(), await makeAccount(), await makeTenant(db)]
  await db.transaction(tx => replaceEntitlementRows(tx, tenantId, [{ providerAccountId: id, priority: 1 }]))
  await until(async () => (await configuration.routesOf(tenantId)).accounts.map(account => account.id), [id])
  await Promise.all([configuration.accountOf(id), configuration.accountOf(otherId)])

  await setProviderAccountBaseUrl(db, id, 'http://127.0.0.1:2')
  await until(async () => (await configuration.accountOf(id))?.account.baseUrl, 'http://127.0.0.1:2')
  const off = {
    ...{ id, name: 'Midtrans', baseUrl: null, enabled: false, credentialsSealed: 'sealed' },
    ...{ callbackSources: [], inquireAbove: null },
  }
  await db.transaction(tx => updateProviderAccountRow(tx, off))
  await until(async () => (await configuration.routesOf(tenantId)).accounts, [])
  expect(await queriesFor(() => configuration.accountOf(otherId))).toBe(0)
})

// The test expects some entries to stay cached. It is retried, because it fails if the notification channel
// is interrupted for a moment: the process must then read all entries again.
test('if a tenant’s entitlements or routing rules are replaced, the cache reads only this tenant’s routing again', {
  retry: 2,
}, async () => {
  const [accountId, tenantId, otherId] = [await makeAccount(), await makeTenant(db), await makeTenant(db)]
  await Promise.all([configuration.routesOf(tenantId), configuration.routesOf(otherId)])
  const accounts = async () => (await configuration.routesOf(tenantId)).accounts.length
  const rules = async () => (await configuration.routesOf(tenantId)).rules.length
  const wanted = [{ providerAccountId: accountId, priority: 1 }]
  const rule = { position: 1, methodType: null, channel: null, minAmount: null, maxAmount: null, weight: 1 }

  await db.transaction(tx => replaceEntitlementRows(tx, tenantId, wanted))
  await until(accounts, 1)
  await db.transaction(tx => replaceRules(tx, tenantId, [{ ...rule, providerAccountId: accountId }]))
  await until(rules, 1)
  await db.transaction(tx => replaceEntitlementRows(tx, tenantId, []))
  await until(accounts, 0)
  await until(rules, 0)
  expect(await queriesFor(() => configuration.routesOf(otherId))).toBe(0)
})

test("an SQL statement that moves an entitlement to another tenant drops both tenants' cached routing", async () => {
  const [accountId, fromId, toId] = [await makeAccount(), await makeTenant(db), await makeTenant(db)]
  const accountsOf = (tenantId: string) => async () =>
    (await configuration.routesOf(tenantId)).accounts.map(account => account.id)
  await db.transaction(tx =>
    replaceEntitlementRows(tx, fromId, [{ providerAccountId: accountId, priority: 1 }]),
  )
  await until(accountsOf(fromId), [accountId])
  expect(await accountsOf(toId)()).toEqual([])

  await db.raw('update entitlements set tenant_id = ? where tenant_id = ?', [toId, fromId])
  await until(accountsOf(toId), [accountId])
  await until(accountsOf(fromId), [])
})

test('if a webhook endpoint gets a new URL or secret, the cache reads the endpoint again', async () => {
  const tenantId = await makeTenant(db)
  const sealed = (secret: string) => secrets.encrypt(secret, webhookSecretContext(tenantId))
  expect(await configuration.endpointOf(tenantId)).toBeUndefined()
  await insertEndpoint(db, tenantId, await sealed('first'))
  expect(await configuration.endpointOf(tenantId)).toEqual({
    callbackUrl: null,
    secret: 'first',
    previous: [],
  })

  await setCallbackUrl(db, tenantId, 'http://127.0.0.1:3')
  await until(async () => (await configuration.endpointOf(tenantId))?.callbackUrl, 'http://127.0.0.1:3')
  const next = await sealed('second')
  await db.transaction(tx => replaceSecret(tx, tenantId, next, later(1_000)))
  await until(async () => (await configuration.endpointOf(tenantId))?.secret, 'second')
  const endpoint = (await configuration.endpointOf(tenantId)) as LoadedEndpoint
  expect(signingSecrets(endpoint, later(999))).toEqual(['second', 'first'])
  expect(signingSecrets(endpoint, later(1_000))).toEqual(['second'])
})
