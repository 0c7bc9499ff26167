import { beforeAll, describe, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { rowsReadBy } from '../../../test/support/rows-read.ts'
import { insertLeased, paidEvent } from '../../../test/support/webhook-listener.ts'
import type { Db } from '../../db/db.ts'
import { newId } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import { type EndedAttempt, recordAttempts, recordLateAttempt } from './attempt.sql.ts'
import { reopenEvent, reopenFailedEvents } from './delivery.sql.ts'
import {
  claimDueEvents,
  listOverdueTenants,
  loadLeasedEvents,
  releaseLeases,
  storeFollower,
} from './lease.sql.ts'
import { coversAnAttempt, type Lease, leaseExpiryFrom } from './lease.ts'

let db: Db
beforeAll(async () => {
  ;({ db } = await testDatabase())
})

const listening = () => makeTenant(db, { callbackUrl: 'https://shop.example/hooks' })

const jobs = async () =>
  (await db.raw('select payload from graphile_worker._private_jobs order by id')).rows.map(
    (row: { payload: object }) => row.payload,
  )

const delivered = (lease: Lease) => ({
  ...lease,
  startedAt: new Date(),
  durationMs: 1,
  responseStatus: 200,
  responseHeaders: null,
  responseBody: '',
  signature: null,
  error: null,
})
const failed = (lease: Lease) => ({ ...delivered(lease), responseStatus: 500 })

/**
 * Returns the lease with the event's current expiry, as if a process had claimed the event again after a failed
 * attempt.
 */
const renewed = async (lease: Lease): Promise<Lease> => {
  const { rows } = await db.raw('select next_attempt_at as at from webhook_queue where event_id = ?', [
    lease.eventId,
  ])
  return { ...lease, expiresAt: rows[0]?.at ?? lease.expiresAt }
}

/**
 * Records ended webhook delivery attempts. Returns the leases of the later events that had to wait for these
 * attempts and can now be delivered.
 */
async function record(attempts: EndedAttempt[]): Promise<Lease[]> {
  const { followers, late } = await recordAttempts(db, attempts, 1)
  for (const each of late) await recordLateAttempt(db, each)
  return followers
}

test('webhook events that are inserted together share delivery jobs, with up to 100 events in each job', async () => {
  const [one, other] = [await listening(), await listening()]
  const at = new Date()
  const events = [...Array(150).keys()].map(n => paidEvent(n % 2 ? one : other, { at }))
  const leases = await insertLeased(db, events)
  const queued = (await jobs()) as { held_until: string; events: { event_id: string }[] }[]
  expect(queued.map(job => job.events.length)).toEqual([100, 50])
  expect(new Set(queued.flatMap(job => job.events.map(each => each.event_id)))).toEqual(
    new Set(events.map(event => event.id)),
  )
  expect(new Date(queued[0]?.held_until ?? '')).toEqual(leaseExpiryFrom(at))
  expect((await loadLeasedEvents(db, leases)).every(found => found && !found.waitsForEarlier)).toBe(true)
  await db.raw('delete from graphile_worker._private_jobs')
})

test('other processes can claim a leased webhook event only after its lease expires or is released', async () => {
  const tenantId = await listening()
  const [first, second] = (await insertLeased(db, [paidEvent(tenantId), paidEvent(tenantId)])) as [
    Lease,
    Lease,
  ]
  const dueAt = async (at: Date) =>
    (await claimDueEvents(db, [{ tenantId, limit: 9 }], at, leaseExpiryFrom(at)))[0]?.map(
      each => each.eventId,
    )
  expect(await dueAt(new Date())).toEqual([])
  await releaseLeases(db, [first], new Date())
  expect(await dueAt(new Date())).toEqual([first.eventId])
  expect(await dueAt(after(second.expiresAt, 1))).toContain(second.eventId)
})

test("the process's clock determines when an event is claimed, even if the database's clock is ahead", async () => {
  const tenantId = await listening()
  const [event] = (await insertLeased(db, [paidEvent(tenantId)])) as [Lease]
  const now = after(new Date(), -40_000)
  const dueAt = after(now, 10_000)
  await releaseLeases(db, [event], dueAt)
  const claimAt = async (at: Date) =>
    (await claimDueEvents(db, [{ tenantId, limit: 9 }], at, leaseExpiryFrom(at)))[0]?.map(
      ({ eventId }) => eventId,
    )
  expect(await claimAt(now)).toEqual([])
  expect(await claimAt(dueAt)).toEqual([event.eventId])
  expect(await claimAt(dueAt)).toEqual([])
})

test('a process that lost its lease can neither load nor release the webhook event', async () => {
  const tenantId = await listening()
  const [first] = (await insertLeased(db, [paidEvent(tenantId)])) as [Lease]
  const lapsed = after(first.expiresAt, 1)
  const [second = []] = await claimDueEvents(db, [{ tenantId, limit: 9 }], lapsed, leaseExpiryFrom(lapsed))
  expect(second.map(({ eventId }) => eventId)).toEqual([first.eventId])
  await releaseLeases(db, [first], new Date())
  expect(await loadLeasedEvents(db, [first])).toEqual([undefined])
  expect(await loadLeasedEvents(db, second)).toMatchObject([{ event: { id: first.eventId } }])
})

test('if several processes query due webhook events at once, each event is leased to only one process', async () => {
  const tenantId = await listening()
  const leases = await insertLeased(
    db,
    [...Array(40)].map(() => paidEvent(tenantId)),
  )
  await releaseLeases(db, leases, new Date())
  const claim = async () =>
    (await claimDueEvents(db, [{ tenantId, limit: 16 }], new Date(), leaseExpiryFrom(new Date())))[0] ?? []
  const found: string[] = []
  // A query that leases webhook events while other queries run may find fewer events than its limit. However, it
  // never finds an event that another query has leased.
  while (found.length < 40) {
    const claimed = (await Promise.all([claim(), claim(), claim()])).flat()
    expect(claimed).not.toEqual([])
    found.push(...claimed.map(({ eventId }) => eventId))
  }
  expect(new Set(found)).toEqual(new Set(leases.map(({ eventId }) => eventId)))
  expect(found).toHaveLength(40)
})

test('a poll for due webhook events skips events locked by another transaction instead of waiting for them', async () => {
  const tenantId = await listening()
  const [locked, free] = (await insertLeased(db, [paidEvent(tenantId), paidEvent(tenantId)])) as [
    Lease,
    Lease,
  ]
  await releaseLeases(db, [locked, free], new Date())
  await db.transaction(async tx => {
    await tx.raw('select from webhook_queue where event_id = ? for update', [locked.eventId])
    const [found] = await claimDueEvents(
      db,
      [{ tenantId, limit: 9 }],
      new Date(),
      leaseExpiryFrom(new Date()),
    )
    expect(found?.map(({ eventId }) => eventId)).toEqual([free.eventId])
  })
})

describe('a webhook event waits for an earlier event for the same payment', () => {
  async function two() {
    const tenantId = await listening()
    const payment = newId()
    const [first, second] = (await insertLeased(db, [
      paidEvent(tenantId, { payment, number: 2 }),
      paidEvent(tenantId, { payment, number: 3 }),
    ])) as [Lease, Lease]
    const [, opened] = await loadLeasedEvents(db, [first, second])
    return { tenantId, first, second, isBehind: opened?.waitsForEarlier }
  }

  test("a process that has finished a webhook event gets the lease on the payment's next event", async () => {
    for (const ending of [delivered, failed]) {
      const { first, second, isBehind } = await two()
      expect(isBehind).toBe(true)
      expect(await storeFollower(db, second)).toBe(true)
      if (ending === failed)
        for (const _ of 'abc') expect(await record([failed(await renewed(first))])).toEqual([])
      expect(await record([ending(await renewed(first))])).toEqual([second])
    }
  })

  test('a webhook event does not wait for an earlier event of the same payment whose delivery has ended', async () => {
    const { first, second } = await two()
    expect(await record([delivered(first)])).toEqual([])
    expect(await storeFollower(db, second)).toBe(false)
  })

  test("an event with an expired lease still waits until the payment's earlier event is delivered", async () => {
    const { tenantId, first, second } = await two()
    await storeFollower(db, second)
    const due = async () => {
      const found = await claimDueEvents(
        db,
        [{ tenantId, limit: 9 }],
        after(second.expiresAt, 1),
        first.expiresAt,
      )
      return found.flat().map(({ eventId }) => eventId)
    }
    expect(await due()).toEqual([first.eventId])
    const followers = await record([delivered(first)])
    await releaseLeases(db, followers, new Date())
    expect(await due()).toEqual([second.eventId])
  })

  test("finishing an event does not release the next event's lease if another process holds this lease", async () => {
    const { tenantId, first, second } = await two()
    await storeFollower(db, second)
    const followers = await record([delivered(first)])
    const lapsed = after(second.expiresAt, 1)
    const claim = () => claimDueEvents(db, [{ tenantId, limit: 9 }], lapsed, leaseExpiryFrom(lapsed))
    expect((await claim()).flat().map(({ eventId }) => eventId)).toEqual([second.eventId])
    await releaseLeases(db, followers, new Date())
    expect(await claim()).toEqual([[]])
  })

  test('a waiting event is returned for delivery only once, even if the previous event is sent again', async () => {
    const { tenantId, first, second } = await two()
    await storeFollower(db, second)
    for (const _ of 'abc') await record([failed(await renewed(first))])
    expect(await record([failed(await renewed(first))])).toEqual([second])
    const now = new Date()
    await db.transaction(tx =>
      reopenFailedEvents(
        tx,
        tenantId,
        { statuses: ['permanently_failed'], mode: null, since: after(now, -60_000), before: now },
        null,
        9,
      ),
    )
    expect(await record([failed(await renewed(first))])).toEqual([])
    expect(await reopenEvent(db, tenantId, first.eventId, now)).toBe(true)
    expect(await record([failed(await renewed(first))])).toEqual([])
  })
})

const attemptsOf = async ({ eventId }: Lease) => {
  const { rows } = await db.raw(
    `select q.status, (select array_agg(a.number order by a.number) from webhook_attempts a where a.event_id = e.id) as numbers
     from webhook_events e left join webhook_queue q on q.tenant_id = e.tenant_id and q.event_id = e.id where e.id = ?`,
    [eventId],
  )
  return rows[0]
}

const queuedState = async ({ eventId }: Lease) => {
  const { rows } = await db.raw(
    'select attempts_left as left, next_attempt_at as at from webhook_queue where event_id = ?',
    [eventId],
  )
  return rows[0]
}

describe('if two processes attempt to deliver the same webhook event, both attempts are recorded', () => {
  test('if two processes deliver the same webhook event, both attempts are recorded', async () => {
    const tenantId = await listening()
    const [lease] = (await insertLeased(db, [paidEvent(tenantId)])) as [Lease]
    await Promise.all([record([delivered(lease)]), record([delivered(lease)])])
    expect(await attemptsOf(lease)).toEqual({ status: null, numbers: [1, 2] })
  })

  test('an event counts as delivered if a successful and a failed attempt are recorded together', async () => {
    const tenantId = await listening()
    for (const order of [
      [delivered, failed],
      [failed, delivered],
    ]) {
      const [lease, other] = (await insertLeased(db, [paidEvent(tenantId), paidEvent(tenantId)])) as [
        Lease,
        Lease,
      ]
      await record([...order.map(end => end(lease)), delivered(other)])
      expect(await attemptsOf(lease)).toEqual({ status: null, numbers: [1, 2] })
      expect(await attemptsOf(other)).toEqual({ status: null, numbers: [1] })
    }
  })

  test('a failed attempt does not make a webhook event pending again if another attempt has delivered it', async () => {
    const tenantId = await listening()
    const [lease] = (await insertLeased(db, [paidEvent(tenantId)])) as [Lease]
    await record([delivered(lease)])
    await record([failed(lease)])
    expect(await attemptsOf(lease)).toEqual({ status: null, numbers: [1, 2] })
  })

  test('a failed attempt with an expired lease is recorded but does not affect the new lease', async () => {
    const tenantId = await listening()
    const [lapsed] = (await insertLeased(db, [paidEvent(tenantId)])) as [Lease]
    const at = after(lapsed.expiresAt, 1)
    const [[current] = []] = await claimDueEvents(db, [{ tenantId, limit: 9 }], at, leaseExpiryFrom(at))
    await db.raw('delete from graphile_worker._private_jobs')
    expect(await record([failed(lapsed)])).toEqual([])
    expect(await queuedState(lapsed)).toEqual({ left: 4, at: current?.expiresAt })
    expect(await jobs()).toEqual([])
    // The attempt with the expired lease is recorded first. The attempt with the valid lease gets the second number and
    // reduces the number of remaining attempts.
    const valid = failed(current as Lease)
    await record([valid])
    expect(await attemptsOf(lapsed)).toEqual({ status: 'pending', numbers: [1, 2] })
    expect(await queuedState(lapsed)).toEqual({ left: 3, at: after(valid.startedAt, 2) })
    expect(await jobs()).toEqual([{ tenant_ids: [tenantId] }])
  })

  test("a failed attempt that is recorded after a redelivery was requested does not count as the redelivery's attempt", async () => {
    const tenantId = await listening()
    const [lapsed] = (await insertLeased(db, [paidEvent(tenantId)])) as [Lease]
    for (const _ of 'abcd') await record([failed(await renewed(lapsed))])
    expect(await attemptsOf(lapsed)).toEqual({ status: 'permanently_failed', numbers: [1, 2, 3, 4] })
    const now = new Date()
    expect(await reopenEvent(db, tenantId, lapsed.eventId, now)).toBe(true)
    await record([failed(lapsed)])
    expect(await attemptsOf(lapsed)).toEqual({ status: 'pending', numbers: [1, 2, 3, 4, 5] })
    expect(await queuedState(lapsed)).toEqual({ left: 1, at: now })
  })

  test('of two failed attempts recorded together, only the attempt with a valid lease schedules the retry', async () => {
    for (const isReversed of [false, true]) {
      const tenantId = await listening()
      const [lapsed] = (await insertLeased(db, [paidEvent(tenantId)])) as [Lease]
      const at = after(lapsed.expiresAt, 1)
      const [[current] = []] = await claimDueEvents(db, [{ tenantId, limit: 9 }], at, leaseExpiryFrom(at))
      const valid = failed(current as Lease)
      const both = [failed(lapsed), valid]
      await record(isReversed ? both.reverse() : both)
      expect(await queuedState(lapsed)).toEqual({ left: 3, at: after(valid.startedAt, 2) })
    }
  })
})

test('an event is marked as delivered even if the previous version recorded an attempt with the same number', async () => {
  const tenantId = await listening()
  const [lease] = (await insertLeased(db, [paidEvent(tenantId)])) as [Lease]
  // Inserts a delivery attempt as the previous version does, without increasing the webhook event's attempt
  // count.
  await db.raw(
    'insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms) values (?, ?, 1, now(), 1)',
    [tenantId, lease.eventId],
  )
  await record([delivered(lease)])
  expect(await attemptsOf(lease)).toEqual({ status: null, numbers: [1] })
})

test("a tenant's overdue webhook events are found even if another tenant has thousands of older ones", async () => {
  const [busy, other] = [await listening(), await listening()]
  const long = after(new Date(), -3_600_000)
  await insertLeased(
    db,
    [...Array(3_000)].map(() => paidEvent(busy, { at: long })),
  )
  await insertLeased(db, [paidEvent(other, { at: after(new Date(), -60_000) })])
  const tenants = await listOverdueTenants(db, new Date())
  expect(tenants).toEqual(expect.arrayContaining([busy, other]))
  expect(new Set(tenants).size).toBe(tenants.length)
})

test.each([
  [15_000, true],
  [14_999, false],
])(
  'whether a lease that expires in %i ms is long enough for one webhook delivery attempt: %s',
  (ms, lasts) => {
    const now = new Date()
    expect(coversAnAttempt({ tenantId: 't', eventId: 'e', expiresAt: after(now, ms) }, now)).toBe(lasts)
  },
)

test("claiming a payment's events reads only a few rows, even if many earlier events are delivered", async () => {
  const tenantId = await listening()
  const payment = newId()
  const events = Array.from({ length: 200 }, (_, n) => paidEvent(tenantId, { payment, number: n + 1 }))
  const leases = await insertLeased(db, events)
  const now = after(leases[0]?.expiresAt ?? new Date(), 1)
  await record(leases.slice(0, 100).map(delivered))
  const read = await db.transaction(async tx => {
    // These tables are so small that PostgreSQL might read all of their rows for each event. The settings make it use
    // the indexes, as it would for large tables.
    await tx.raw(
      `set local enable_seqscan = off; set local enable_bitmapscan = off; set local enable_sort = off;
       set local plan_cache_mode = force_custom_plan`,
    )
    return rowsReadBy(tx, ['webhook_events', 'webhook_queue'], async () => {
      const [claimed = []] = await claimDueEvents(
        tx as Db,
        [{ tenantId, limit: 50 }],
        now,
        leaseExpiryFrom(now),
      )
      expect(claimed).toHaveLength(1)
    })
  })
  // Each of the 99 waiting events reads the event directly before it. Reading all earlier events instead would read
  // more than 10,000 rows.
  expect(read).toBeLessThan(2_000)
})
