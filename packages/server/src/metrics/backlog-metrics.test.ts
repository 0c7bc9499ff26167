import { Registry } from 'prom-client'
import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { createDb } from '../db/db.ts'
import { createLog } from '../logging/log.ts'
import { readBacklog } from './backlog.sql.ts'
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

test('while the database does not respond, repeated requests to GET /metrics start only one database query', async () => {
  const { db, registry } = observed()
  const held = await Promise.all([db.transaction(), db.transaction(), db.transaction()])
  for (let n = 0; n < 2; n++) expect(await registry.metrics()).toMatch(/^gapura_database_up 0$/m)
  expect(db.client.pool.numPendingAcquires()).toBe(1)
  await Promise.all(held.map(tx => tx.rollback()))
  await expect.poll(() => registry.metrics()).toMatch(/^gapura_database_up 1$/m)
  await db.destroy()
})

test("the ledger verification's age is the time since the last one ended, or since the first one started", async () => {
  const db = createDb(url, { max: 1 })
  const age = async () => Math.round((await readBacklog(db)).ledgerVerifiedAge / 3_600)
  const verify = (day: string, startedHours: number, endedHours: number | null) =>
    db.raw(
      `insert into ledger_verifications (day, started_at, beat_at, ended_at)
       values (?, now() - make_interval(hours => ?), now(), now() - make_interval(hours => ?))`,
      [day, startedHours, endedHours],
    )
  expect(await age()).toBe(0)
  await verify('2026-11-01', 50, null)
  await verify('2026-11-02', 26, null)
  expect(await age()).toBe(50)
  await verify('2026-11-03', 4, 3)
  expect(await age()).toBe(3)
  await verify('2026-11-04', 1, null)
  expect(await age()).toBe(3)
  await db.destroy()
})
