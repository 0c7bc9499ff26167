import { expect, test } from 'vitest'
import { clusterPool } from '../../../test/support/cluster-pool.ts'
import { testDatabase } from '../../../test/support/database.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { sentWhile } from '../../../test/support/sent-statements.ts'
import { insertLeased, paidEvent } from '../../../test/support/webhook-listener.ts'
import { createLog } from '../../logging/log.ts'
import { loadLeasedEvents } from './lease.sql.ts'
import { recordEndedAttempts } from './record-attempts.ts'

const { url, db } = await testDatabase()

test('on a distributed database, webhook events are loaded in the order of their leases, with one statement per tenant', async () => {
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

test('on a distributed database, successful webhook attempts are recorded once, with one statement per tenant', async () => {
  const [one, other] = [
    await makeTenant(db, { callbackUrl: url }),
    await makeTenant(db, { callbackUrl: url }),
  ]
  const leases = await insertLeased(
    db,
    [one, other, one].map(id => paidEvent(id)),
  )
  const pool = await clusterPool(url)
  const ended = leases.map(({ tenantId, eventId }) => ({
    ...{ tenantId, eventId, paymentId: null, startedAt: new Date(), durationMs: 1, responseStatus: 200 },
    ...{ responseHeaders: {}, responseBody: '', error: null, signature: '' },
  }))
  const sent = await sentWhile(() => recordEndedAttempts({ db: pool, log: createLog('silent') }, ended))
  const records = sent.filter(({ text }) => text.includes('webhook_attempts'))
  expect(records.map(({ text }) => text.match(/and q\.tenant_id = \$\d+/g)?.length)).toEqual([2, 2])
  const { rows } = await db.raw(
    `select a.event_id as id, count(q.event_id)::integer as queued from webhook_attempts a
     left join webhook_queue q on q.tenant_id = a.tenant_id and q.event_id = a.event_id
     where a.tenant_id = any(?) group by a.event_id order by a.event_id`,
    [[one, other]],
  )
  expect(rows).toEqual(leases.map(({ eventId }) => ({ id: eventId, queued: 0 })).sort(byId))
})

const byId = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1)
