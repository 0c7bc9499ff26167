import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { createDb } from '../db/db.ts'
import { createLog } from '../logging/log.ts'
import { observeBacklog } from './backlog-metrics.ts'

const { url } = await testDatabase()

function observed() {
  const db = createDb(url, { max: 3 })
  const registry = new Registry()
  observeBacklog({ db, log: createLog('silent') }, registry)
  return { db, registry }
}

test('if the database is unavailable, GET /metrics reports this and omits the job backlog metrics', async () => {
  const { db, registry } = observed()
  await db.destroy()
  const text = await registry.metrics()
  expect(text).toMatch(/^gapura_database_up 0$/m)
  expect(text).not.toMatch(/^gapura_callbacks_unapplied \d/m)
})

test('while the database hangs, any number of requests to GET /metrics cause only one database query', async () => {
  const { db, registry } = observed()
  const held = await Promise.all([db.transaction(), db.transaction(), db.transaction()])
  for (let n = 0; n < 2; n++) expect(await registry.metrics()).toMatch(/^gapura_database_up 0$/m)
  expect(db.client.pool.numPendingAcquires()).toBe(1)
  await Promise.all(held.map(tx => tx.rollback()))
  await expect.poll(() => registry.metrics()).toMatch(/^gapura_database_up 1$/m)
  await db.destroy()
})
