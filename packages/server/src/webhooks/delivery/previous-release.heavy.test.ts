// Tests webhook events that were stored before the table `webhook_queue` existed (migrations/0014_webhook_queue.sql).
// The previous version of the service stores an event and its delivery state in one row of `webhook_events`. During an
// upgrade, this version may still be running.

import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/support/database.ts'
import type { Db } from '../../db/db.ts'
import { migrate, migrationsDirectory } from '../../db/migrate/migrate.ts'
import { newId } from '../../values/id.ts'
import { recordAttempts } from './attempt.sql.ts'
import { findDelivery } from './delivery.sql.ts'
import { claimDueEvents } from './lease.sql.ts'
import { leaseExpiryFrom } from './lease.ts'

let db: Db
let url: string
const tenantId = newId()
beforeEach(async () => {
  const database = await emptyDatabase()
  ;({ db, url } = database)
  const before = await mkdtemp(join(tmpdir(), 'gapura-before-'))
  const names = (await readdir(migrationsDirectory)).filter(name => name < '0014')
  await Promise.all(names.map(name => cp(join(migrationsDirectory, name), join(before, name))))
  await migrate(url, before)
  await rm(before, { recursive: true })
  return database.drop
})

const dueAt = new Date(Date.now() - 1_000)

async function insert(status: string, attemptsMade = 0): Promise<string> {
  const id = newId()
  await db.raw(
    `insert into webhook_events (tenant_id, id, payment_id, number, mode, type, body, status, attempt_count, attempts_left, next_attempt_at, created_at)
     values (?, ?, ?, 2, 'test', 'payment.paid', '{}', ?, ?, ?, ?, now())`,
    [tenantId, id, newId(), status, attemptsMade, 4 - attemptsMade, status === 'pending' ? dueAt : null],
  )
  return id
}

/**
 * Stores a webhook event's final status in the table `webhook_events`, as the previous version of the service
 * does.
 */
const settle = (id: string, status: string, number: number) =>
  db.raw(
    `update webhook_events set attempt_count = ?, attempts_left = attempts_left - 1, status = ?, next_attempt_at = null
     where tenant_id = ? and id = ?`,
    [number, status, tenantId, id],
  )

const stateOf = async (id: string) => {
  const delivery = await findDelivery(db, tenantId, id)
  return [delivery?.status, delivery?.nextAttemptAt]
}

const due = async () => {
  const now = new Date()
  const [found] = await claimDueEvents(db, [{ tenantId, limit: 9 }], now, leaseExpiryFrom(now))
  return found?.map(({ eventId }) => eventId)
}

test('webhook events that existed before the queue migration keep their status, and pending events are delivered', async () => {
  const [pending, failed, unheard, delivered] = [
    await insert('pending', 1),
    await insert('permanently_failed', 4),
    await insert('not_configured'),
    await insert('delivered', 1),
  ]
  await migrate(url)
  expect(await stateOf(pending)).toEqual(['pending', dueAt])
  expect(await stateOf(failed)).toEqual(['permanently_failed', null])
  expect(await stateOf(unheard)).toEqual(['not_configured', null])
  expect(await stateOf(delivered)).toEqual(['delivered', null])
  expect(await due()).toEqual([pending])
  await recordAttempts(db, [{ ...attempt, eventId: pending, expiresAt: dueAt }], 1)
  expect((await findDelivery(db, tenantId, pending))?.attempts.map(({ number }) => number)).toEqual([2])
})

test('this version delivers webhook events that the previous version creates after the migration to the webhook queue', async () => {
  await migrate(url)
  const [pending, unheard] = [await insert('pending'), await insert('not_configured')]
  expect(await stateOf(unheard)).toEqual(['not_configured', null])
  expect(await due()).toEqual([pending])
})

test('a webhook event that the previous version is delivering during the migration gets the status that the previous version records', async () => {
  const [delivered, failed] = [await insert('pending'), await insert('pending', 3)]
  await migrate(url)
  await settle(delivered, 'delivered', 1)
  await settle(failed, 'permanently_failed', 4)
  expect(await stateOf(delivered)).toEqual(['delivered', null])
  expect(await stateOf(failed)).toEqual(['permanently_failed', null])
  expect(await due()).toEqual([])
})

test('a webhook event that the previous version redelivers is due for delivery in this version, too', async () => {
  const delivered = await insert('delivered', 1)
  await migrate(url)
  await db.raw(
    `update webhook_events set status = 'pending', attempts_left = 1, next_attempt_at = ? where id = ?`,
    [dueAt, delivered],
  )
  expect(await due()).toEqual([delivered])
})

const attempt = {
  tenantId,
  startedAt: new Date(),
  durationMs: 1,
  responseStatus: 200,
  responseHeaders: null,
  responseBody: '',
  signature: null,
  error: null,
}
