// Tests configuration changes on a Citus cluster, which consists of several PostgreSQL servers (nodes): one
// coordinator and several workers (test/support/citus-cluster.ts).

import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type CitusDatabase, citusDatabase, coordinator } from '../../../test/support/citus-cluster.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { cached } from '../../configuration/cache.ts'
import { listenForChanges } from '../../configuration/change-listener.ts'
import { findEndpointInBatch, setCallbackUrl } from '../../webhooks/endpoint/endpoint.sql.ts'
import { createDb } from '../db.ts'
import { detectDistribution } from '../distributed-database.ts'
import { distribute } from './distribute.ts'

describe.skipIf(!coordinator)(
  'on a Citus cluster, a configuration change by one process reaches the cache of another process',
  () => {
    let cluster: CitusDatabase

    beforeAll(async () => {
      cluster = await citusDatabase()
      await distribute(cluster.url, { dryRun: false, say: () => {} })
    }, 300_000)
    afterAll(() => cluster.drop())

    /** Creates a connection pool that uses the service's database role. */
    async function servicePool() {
      const pool = createDb(cluster.serviceUrl, { max: 2 })
      onTestFinished(() => pool.destroy())
      await detectDistribution([pool])
      return pool
    }

    test('on a cluster, a process rereads a cached callback URL after another process changes it', async () => {
      const [changing, caching] = [await servicePool(), await servicePool()]
      const tenantId = await makeTenant(changing, { callbackUrl: 'https://shop.example/old' })
      const changes: string[] = []
      const listener = listenForChanges(cluster.serviceUrl, caching, {
        onChange(kind, key) {
          changes.push(`${kind} ${key}`)
          endpoints.invalidate(key)
        },
        onListening: () => {},
      })
      onTestFinished(() => listener.stop())
      const endpoints = cached(id => findEndpointInBatch(caching, id), listener.listeningPeriod)
      const cachedUrl = async () => (await endpoints.get(tenantId))?.callbackUrl
      await vi.waitUntil(() => Number.isFinite(listener.listeningPeriod().sinceMs), 60_000)
      expect(await cachedUrl()).toBe('https://shop.example/old')

      expect(await changing.transaction(tx => setCallbackUrl(tx, tenantId, 'https://shop.example/new'))).toBe(
        'https://shop.example/old',
      )
      await vi.waitUntil(() => changes.includes(`endpoint ${tenantId}`), 60_000)
      expect(await cachedUrl()).toBe('https://shop.example/new')
    }, 120_000)
  },
)
