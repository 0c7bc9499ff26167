import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { atEnd } from '../../test/support/at-end.ts'
import { testDatabase } from '../../test/support/database.ts'
import { databaseProxy } from '../../test/support/database-proxy.ts'
import { makeTenant } from '../../test/support/make.ts'
import { insertApiKey, revokeKey } from '../auth/api-keys/key.sql.ts'
import { findCredentialInBatch } from '../auth/auth.sql.ts'
import type { Db } from '../db/db.ts'
import { newId } from '../values/id.ts'
import { cached } from './cache.ts'
import { listenForChanges } from './change-listener.ts'

const [elsewhere, { url, db }] = [await testDatabase(), await testDatabase()]

// The tests replace the clock, so that cached data does not expire just because the machine is slow.
let nowMs = performance.now()
beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
})
afterEach(() => {
  vi.restoreAllMocks()
})
const pass = (ms: number) => {
  nowMs += ms
}
const until = (isSo: () => unknown) => vi.waitFor(() => expect(isSo()).toBeTruthy(), 120_000)

async function makeKey(on: Db): Promise<{ id: string; tenantId: string; keyHash: Buffer }> {
  const tenantId = await makeTenant(on)
  const key = { id: newId(), tenantId, keyHash: randomBytes(32) }
  await insertApiKey(on, {
    ...key,
    mode: 'test',
    name: 'key',
    displayPrefix: 'gp_',
    createdBy: null,
    scopes: [],
    allowedIps: [],
  })
  return key
}
const revoke = (on: Db, { tenantId, id }: { tenantId: string; id: string }) =>
  on.transaction(tx => revokeKey(tx, tenantId, id))

const find = (hash: string) => findCredentialInBatch(db, Buffer.from(hash, 'hex'))

/** Returns one service process's API key cache, and the change notifications that the process received. */
async function cachingProcess(listenUrl: string, read = find, pool = db) {
  const notifications: string[] = []
  const listeningReports: [boolean, string?][] = []
  let reads = 0
  const listener = listenForChanges(listenUrl, pool, {
    onChange(kind, key) {
      notifications.push(`${kind} ${key}`)
      credentials.invalidateAll()
    },
    onListening: (isListening, reason) =>
      listeningReports.push(reason instanceof Error ? [isListening, reason.message] : [isListening]),
  })
  atEnd(listener.stop)
  const credentials = cached(hash => {
    reads++
    return read(hash)
  }, listener.listeningPeriod)
  return {
    notifications,
    listeningReports,
    stop: listener.stop,
    reads: () => reads,
    isKnown: async ({ keyHash }: { keyHash: Buffer }) =>
      Boolean(await credentials.get(keyHash.toString('hex'))),
    /**
     * Waits until a check proves that the connection for notifications works. If the test has advanced the
     * clock, the check must also be recent by this clock.
     */
    waitUntilListening: () => until(() => listener.listeningPeriod().untilMs > performance.now() + 500),
  }
}

test('while change notifications from the database arrive, the cache reads unchanged data only once', async () => {
  const service = await cachingProcess(url)
  await service.waitUntilListening()
  const key = await makeKey(db)
  for (let i = 0; i < 5; i++) {
    await service.isKnown(key)
    pass(5_000)
    await service.waitUntilListening()
  }
  expect(service.reads()).toBe(1)
  expect(service.listeningReports).toEqual([[true]])
})

test('an API key revoked by another process stops working as soon as the notification of the revocation arrives', async () => {
  const service = await cachingProcess(url)
  await service.waitUntilListening()
  const key = await makeKey(db)
  expect(await service.isKnown(key)).toBe(true)
  await revoke(db, key)
  await until(() => service.notifications.length > 0)
  expect(service.notifications).toEqual([`key \\x${key.keyHash.toString('hex')}`])
  expect(await service.isKnown(key)).toBe(false)
})

describe('a revoked API key stops working even if the connection that listens for changes fails', () => {
  test('if the listening connection is lost, a revoked API key stops working within a second', async () => {
    const way = await databaseProxy(url)
    const service = await cachingProcess(way.url)
    await service.waitUntilListening()
    const [key, other] = [await makeKey(db), await makeKey(db)]
    await service.isKnown(key)
    way.cut()
    await revoke(db, key)
    pass(999)
    expect(await service.isKnown(key)).toBe(false)
    await until(() => service.listeningReports.length === 2)
    way.mend()
    await service.waitUntilListening()
    expect(service.listeningReports.map(([does]) => does)).toEqual([true, false, true])
    expect(await service.isKnown(other)).toBe(true)
    await revoke(db, other)
    await until(() => service.notifications.length > 0)
    expect(await service.isKnown(other)).toBe(false)
  })

  test('a revoked API key stops working within a second, even if change notifications silently stop', async () => {
    const way = await databaseProxy(url)
    const service = await cachingProcess(way.url)
    await service.waitUntilListening()
    const key = await makeKey(db)
    await service.isKnown(key)
    way.freeze()
    await revoke(db, key)
    pass(999)
    expect(await service.isKnown(key)).toBe(false)
    expect(service.notifications).toEqual([])
  })

  test('if the connection for change notifications freezes, cached data is not trusted until missed changes have arrived', async () => {
    const way = await databaseProxy(url)
    const service = await cachingProcess(way.url)
    await service.waitUntilListening()
    const [key, unchanged] = [await makeKey(db), await makeKey(db)]
    await Promise.all([service.isKnown(key), service.isKnown(unchanged)])
    way.freeze()
    await revoke(db, key)
    pass(3_000)
    way.mend()
    await service.waitUntilListening()
    expect(service.notifications).toHaveLength(1)
    expect(await service.isKnown(key)).toBe(false)
    expect(service.listeningReports).toEqual([[true]])
  })
})

test('if an API key is revoked while the cache is reading it, the cache reads the key again', async () => {
  const [wasRead, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const service = await cachingProcess(url, async hash => {
    const found = await find(hash)
    wasRead.resolve()
    await released.promise
    return found
  })
  await service.waitUntilListening()
  const key = await makeKey(db)
  const before = service.isKnown(key)
  await wasRead.promise
  await revoke(db, key)
  await until(() => service.notifications.length > 0)
  const after = service.isKnown(key)
  released.resolve()
  expect([await before, await after, await service.isKnown(key)]).toEqual([true, false, false])
})

test("notifications about revoked API keys contain hexadecimal hashes, whatever the session's format for binary values", async () => {
  const service = await cachingProcess(url)
  await service.waitUntilListening()
  const key = await makeKey(db)
  await service.isKnown(key)
  await db.transaction(async tx => {
    await tx.raw("set local bytea_output = 'escape'")
    await revokeKey(tx, key.tenantId, key.id)
  })
  await until(() => service.notifications.length > 0)
  expect(service.notifications).toEqual([`key \\x${key.keyHash.toString('hex')}`])
})

/** Returns a connection pool behind a load balancer that the test can switch to another database server. */
function balancedPool() {
  let server = db
  const raw = (sql: string, values: string[]) => server.raw(sql, values)
  return {
    pool: {
      raw,
      get client() {
        return server.client
      },
    } as unknown as Db,
    leadTo(other: Db) {
      server = other
    },
  }
}

test('if notifications and queries use different database servers, values are cached for at most half a second', async () => {
  const { pool, leadTo } = balancedPool()
  const service = await cachingProcess(
    url,
    hash => findCredentialInBatch(pool, Buffer.from(hash, 'hex')),
    pool,
  )
  await service.waitUntilListening()
  leadTo(elsewhere.db)
  const key = await makeKey(elsewhere.db)
  expect(await service.isKnown(key)).toBe(true)
  await revoke(elsewhere.db, key)
  pass(10_000)
  await until(() => service.listeningReports.length > 1)
  expect(service.listeningReports).toEqual([
    [true],
    [false, 'notifications no longer arrive on this connection'],
  ])
  expect(await service.isKnown(key)).toBe(false)
  leadTo(db)
  await service.waitUntilListening()
})

test('the change listener keeps listening even if the exhausted pool cannot send test notifications', async () => {
  const { pool, leadTo } = balancedPool()
  const service = await cachingProcess(url, find, pool)
  await service.waitUntilListening()
  let attempts = 0
  const raw = () => Promise.reject(new Error(`the pool is exhausted, ${++attempts}`))
  leadTo({ raw } as unknown as Db)
  for (const n of [1, 2]) {
    pass(10_000)
    await until(() => attempts === n)
    await service.waitUntilListening()
  }
  leadTo(db)
  pass(10_000)
  await service.waitUntilListening()
  expect(service.listeningReports).toEqual([[true]])
})

test('a change listener with an invalid database address reports an error and can still be closed', async () => {
  const service = await cachingProcess('postgres://[')
  await until(() => service.listeningReports.length > 0)
  expect(service.listeningReports).toEqual([[false, expect.any(String)]])
  await service.stop()
})

test('if change notifications get lost, outdated cached data is used for less than a second', async () => {
  // Some connection poolers accept LISTEN but then give the connection to another client, so notifications
  // get lost. The test simulates such a pooler by listening in another database.
  const service = await cachingProcess(elsewhere.url)
  const key = await makeKey(db)
  await until(() => service.listeningReports.length > 0)
  expect(service.listeningReports).toEqual([[false, expect.stringMatching(/pooler in transaction mode/)]])
  expect(await service.isKnown(key)).toBe(true)
  await revoke(db, key)
  pass(999)
  expect(await service.isKnown(key)).toBe(false)
})

test('closing the change listener ends its connection, even if the connection is still being opened', async () => {
  const way = await databaseProxy(url)
  way.freeze()
  const service = await cachingProcess(way.url)
  await service.stop()
  expect(service.listeningReports).toEqual([])
})
