import { expect, test } from 'vitest'
import { clusterPool } from '../../../test/support/cluster-pool.ts'
import { asOwner, testDatabase } from '../../../test/support/database.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { sentWhile } from '../../../test/support/sent-statements.ts'
import { insertLeased, paidEvent } from '../../../test/support/webhook-listener.ts'
import { createLog } from '../../logging/log.ts'
import { newId } from '../../values/id.ts'
import { recordAttempts } from './attempt.sql.ts'
import { loadLeasedEvents, storeFollower } from './lease.sql.ts'
import type { Lease } from './lease.ts'
import { recordEndedAttempts } from './record-attempts.ts'

const { url, db } = await testDatabase()
// In a cluster, the function `distribute` creates the SQL function `hold_shard`. This test has no cluster, so
// it creates the function itself.
await asOwner(db, owner =>
  owner.raw(`create function hold_shard(tenant uuid) returns void language sql as 'select'`),
)

test('on a distributed database, one SQL statement per tenant loads the webhook events, in the requested order', async () => {
  const [one, other] = [
    await makeTenant(db, { callbackUrl: url }),
    await makeTenant(db, { callbackUrl: url }),
  ]
  const leases = await insertLeased(
    db,
    [one, other, one, other].map(id => paidEvent(id)),
  )
  const pool = await clusterPool(url)
  const sent = await sentWhile(async () => {
    const loaded = await loadLeasedEvents(pool, leases)
    expect(loaded.map(each => each?.event.id)).toEqual(leases.map(({ eventId }) => eventId))
    expect(loaded.map(each => each?.event.tenantId)).toEqual([one, other, one, other])
  })
  const loads = sent.filter(({ text }) => text.includes('webhook_events'))
  expect(loads.map(({ text }) => text.match(/and (\w+\.)?tenant_id = \$\d+/g)?.length)).toEqual([4, 4])
})

test('on a distributed database, one SQL statement per tenant records each successful webhook attempt once', async () => {
  const [one, other] = [
    await makeTenant(db, { callbackUrl: url }),
    await makeTenant(db, { callbackUrl: url }),
  ]
  const leases = await insertLeased(
    db,
    [one, other, one].map(id => paidEvent(id)),
  )
  const pool = await clusterPool(url)
  const ended = leases.map(lease => ({
    ...{ ...lease, paymentId: null, startedAt: new Date(), durationMs: 1, responseStatus: 200 },
    ...{ responseHeaders: {}, responseBody: '', error: null, signature: '' },
  }))
  const sent = await sentWhile(() => recordEndedAttempts({ db: pool, log: createLog('silent') }, ended))
  const namesTenant = (text: string) => text.match(/[qe]\.tenant_id = \$\d+/g)?.length
  const changes = sent.filter(({ text }) => text.includes('webhook_queue q'))
  expect(changes.map(({ text }) => namesTenant(text))).toEqual([2, 2])
  const inserts = sent.filter(({ text }) => text.includes('into webhook_attempts'))
  expect(inserts.map(({ text }) => namesTenant(text))).toEqual([1, 1])
  const { rows } = await db.raw(
    `select a.event_id as id, count(q.event_id)::integer as queued from webhook_attempts a
     left join webhook_queue q on q.tenant_id = a.tenant_id and q.event_id = a.event_id
     where a.tenant_id = any(?) group by a.event_id order by a.event_id`,
    [[one, other]],
  )
  expect(rows).toEqual(leases.map(({ eventId }) => ({ id: eventId, queued: 0 })).sort(byId))
})

test('on a distributed database, the payment’s next event is sent once the last retry has failed', async () => {
  const tenantId = await makeTenant(db, { callbackUrl: url })
  const payment = newId()
  const [first, second] = (await insertLeased(db, [
    paidEvent(tenantId, { payment, number: 2 }),
    paidEvent(tenantId, { payment, number: 3 }),
  ])) as [Lease, Lease]
  expect(await storeFollower(db, second)).toBe(true)
  const pool = await clusterPool(url)
  const attempt = {
    ...{ ...first, startedAt: new Date(), durationMs: 1, responseStatus: 500 },
    ...{ responseHeaders: null, responseBody: '', error: null, signature: null },
  }
  const queued = async () =>
    (
      await db.raw(
        'select status, attempt_count, attempts_left, next_attempt_at from webhook_queue where event_id = ?',
        [first.eventId],
      )
    ).rows[0]
  const retries = async () =>
    (
      await db.raw(`select run_at from graphile_worker._private_jobs where payload::jsonb = ? order by id`, [
        JSON.stringify({ tenant_ids: [tenantId] }),
      ])
    ).rows
  const retryAt = new Date(attempt.startedAt.getTime() + 1 + 5_000)
  expect(await recordAttempts(pool, [attempt], 5_000)).toEqual({ followers: [], late: [] })
  expect(await queued()).toEqual({
    status: 'pending',
    attempt_count: 1,
    attempts_left: 3,
    next_attempt_at: retryAt,
  })
  expect(await retries()).toEqual([{ run_at: retryAt }])
  // The event's lease now expires at `retryAt`. The attempt still has the earlier expiry, so its lease is no
  // longer valid.
  expect(await recordAttempts(pool, [attempt], 6_000)).toEqual({ followers: [], late: [] })
  expect(await queued()).toMatchObject({ attempt_count: 2, attempts_left: 3, next_attempt_at: retryAt })
  expect(await retries()).toHaveLength(1)
  const renewed = { ...attempt, expiresAt: retryAt }
  for (const _ of 'ab') await recordAttempts(pool, [renewed], 5_000)
  expect(await recordAttempts(pool, [renewed], 5_000)).toEqual({ followers: [second], late: [] })
  expect(await queued()).toMatchObject({
    status: 'permanently_failed',
    attempt_count: 5,
    next_attempt_at: null,
  })
  expect(await retries()).toHaveLength(3)
  const attempts = await db.raw('select number from webhook_attempts where event_id = ? order by number', [
    first.eventId,
  ])
  expect(attempts.rows).toEqual([1, 2, 3, 4, 5].map(number => ({ number })))
  const unknown = { ...attempt, eventId: newId() }
  expect(await recordAttempts(pool, [unknown], 5_000)).toEqual({ followers: [], late: [unknown] })
})

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
