import { beforeEach, describe, expect, test } from 'vitest'
import { migratedDatabase, testDatabase } from '../../test/support/database.ts'
import { until } from '../../test/support/merchant.ts'
import { createDb, type Db } from '../db/db.ts'
import { createLog } from '../logging/log.ts'
import { firstIdAt, newId } from '../values/id.ts'
import { maintainPartitions } from './maintain-partitions.ts'
import { listPartitions } from './partition.sql.ts'
import { defaultRetention } from './retention.ts'

/** A signal that is never aborted. */
const never = new AbortController().signal

/** The errors logged by the tested function. */
let failed: { table: string; err: Error }[] = []
const log = Object.assign(createLog('silent'), {
  error: (entry: { table: string; err: Error }) => void failed.push(entry),
})
beforeEach(() => {
  failed = []
})

const monthsFrom = (at: Date, months: number) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months))
const today = new Date()
const nameOf = (month: Date) => `provider_callbacks_${month.toISOString().slice(0, 7).replace('-', '_')}`

const DAY_MS = 86_400_000
/** Returns how many whole days of 24 hours have passed since `at`. */
const daysSince = (at: Date) => Math.floor((Date.now() - at.getTime()) / DAY_MS)

/** Returns an id created at the given time. `number` distinguishes ids with the same time. */
const idAt = (at: Date, number = 1) => firstIdAt(at).slice(0, -1) + number

const keepCallback = (
  db: Db,
  id: string,
  { status = 'applied', accountId = newId(), paymentId = null as string | null } = {},
) =>
  db.raw(
    `insert into provider_callbacks (id, provider_account_id, provider, headers, body, status, payment_id, processed_at)
     values (?, ?, 'midtrans', '{}', '', ?, ?, now())`,
    [id, accountId, status, paymentId],
  )
const idsIn = async (db: Db, table: string): Promise<string[]> =>
  (await db.raw('select id from ?? order by id', [table])).rows.map(({ id }: { id: string }) => id)
const namesOf = async (db: Db): Promise<string[]> =>
  (await listPartitions(db, 'provider_callbacks')).map(({ name }) => name)

/** Recreates each log's first partition so that it ends at `month`, as if partitioning had started earlier. */
async function beganBefore(db: Db, month: Date): Promise<void> {
  for (const table of ['provider_callbacks', 'webhook_attempts', 'api_requests']) {
    await db.raw('drop table ??', [`${table}_first`])
    await db.raw(`create table ?? partition of ?? for values from (minvalue) to ('${firstIdAt(month)}')`, [
      `${table}_first`,
      table,
    ])
  }
}

describe('monthly partitions of logs', () => {
  let db: Db
  let owner: Db
  let url: string
  beforeEach(async () => {
    const database = await migratedDatabase()
    ;({ db, owner, url } = database)
    return database.drop
  })
  const keep = async (days?: number, clock = () => new Date()) => {
    const retention = { ...defaultRetention, callbackDays: days, attemptDays: days }
    await maintainPartitions({ db, clock, log, retention }, never)
    expect(failed).toEqual([])
  }

  test('monthly partitions are created three months ahead, and only once even if several processes create them', async () => {
    await Promise.all([keep(), keep()])
    await keep()
    expect(await namesOf(db)).toEqual([
      'provider_callbacks_first',
      nameOf(monthsFrom(today, 2)),
      nameOf(monthsFrom(today, 3)),
    ])
    const id = idAt(monthsFrom(today, 3))
    await keepCallback(db, id)
    expect(await idsIn(owner, nameOf(monthsFrom(today, 3)))).toEqual([id])
  })

  test('monthly partitions of the request log are dropped once all their requests are past the retention period', async () => {
    await beganBefore(owner, monthsFrom(today, -6))
    await maintainPartitions(
      { db, clock: () => new Date(), log, retention: { ...defaultRetention, requestDays: 10_000 } },
      never,
    )
    const ids = [-7, -1, 0].map(months => idAt(monthsFrom(today, months)))
    for (const id of ids)
      await db.raw(
        `insert into api_requests (tenant_id, id, mode, api_key_id, request_id, method, route, path, status, duration_ms)
         values (:id, :id, 'test', :id, 'r', 'GET', '/', '/', 200, 1)`,
        { id },
      )
    expect(await idsIn(db, 'api_requests')).toEqual(ids)
    await keep()
    expect(await idsIn(db, 'api_requests')).toEqual(ids.slice(1))
    const retention = { ...defaultRetention, requestDays: 1 }
    await maintainPartitions({ db, clock: () => new Date(), log, retention }, never)
    const oldest = (await listPartitions(db, 'api_requests'))[0]?.name as string
    // The database refuses to drop rows younger than 30 days, even if the service requests it.
    await expect(db.raw('select drop_log_partition(?, ?)', ['api_requests', oldest])).rejects.toThrow(
      'has what is younger than 30 days',
    )
    expect(await idsIn(db, 'api_requests')).toContain(ids[2])
    failed = []
  })

  test('when missing monthly partitions are created, the existing rows of these months are moved into the new partitions', async () => {
    const late = monthsFrom(today, -6)
    await beganBefore(owner, late)
    const ids = [idAt(late), idAt(late, 2), idAt(monthsFrom(today, -5), 3)]
    for (const id of ids) await keepCallback(db, id)
    expect(await idsIn(owner, 'provider_callbacks_default')).toEqual(ids)
    await keep()
    expect(await idsIn(owner, nameOf(late))).toEqual(ids.slice(0, 2))
    expect(await idsIn(owner, 'provider_callbacks_default')).toEqual([])
    expect(await idsIn(owner, 'provider_callbacks')).toEqual(ids)
  })

  test('rows inserted while monthly partitions are being created end up in the right partition', async () => {
    const id = idAt(monthsFrom(today, 2))
    const arriving = await db.transaction()
    await keepCallback(arriving, id)
    const made = keep()
    await until('it waits for the one that arrives', async () => {
      const { rows } = await db.raw(
        `select from pg_locks where relation = 'provider_callbacks_default'::regclass and not granted`,
      )
      return rows.length > 0
    })
    await arriving.commit()
    await made
    expect(await idsIn(owner, nameOf(monthsFrom(today, 2)))).toEqual([id])
  })

  test('moving earlier rows to a new partition may take longer than the usual statement timeout', async () => {
    const id = idAt(monthsFrom(today, 2))
    await keepCallback(db, id)
    await owner.raw(`
      create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(0.6); return old; end $$;
      create trigger dawdles before delete on provider_callbacks_default for each row execute function dawdle()`)
    const limits = new URL(url)
    limits.searchParams.set('statement_timeout', '300')
    limits.searchParams.set('query_timeout', '400')
    const hurried = createDb(limits.href, { max: 1 })
    try {
      await maintainPartitions(
        { db: hurried, clock: () => new Date(), log, retention: defaultRetention },
        never,
      )
    } finally {
      await hurried.destroy()
    }
    expect(failed).toEqual([])
    expect(await idsIn(owner, nameOf(monthsFrom(today, 2)))).toEqual([id])
  })

  test('stopping the process cancels a move of rows into a new partition without a logged error', async () => {
    const id = idAt(monthsFrom(today, 2))
    await keepCallback(db, id)
    // The statement sleeps for longer than the test timeout, so the test passes only if the statement is cancelled.
    await owner.raw(`
      create function dawdle() returns trigger language plpgsql as $$ begin perform pg_sleep(600); return old; end $$;
      create trigger dawdles before delete on provider_callbacks_default for each row execute function dawdle()`)
    const stop = new AbortController()
    const kept = maintainPartitions(
      { db, clock: () => new Date(), log, retention: defaultRetention },
      stop.signal,
    )
    await until('the process moves rows', async () => {
      const { rows } = await db.raw(
        `select from pg_stat_activity where datname = current_database() and wait_event = 'PgSleep'`,
      )
      return rows.length > 0
    })
    stop.abort()
    await kept
    expect(failed).toEqual([])
    expect(await namesOf(db)).toEqual(['provider_callbacks_first'])
    expect(await idsIn(owner, 'provider_callbacks_default')).toEqual([id])
    expect((await db.raw('select 1 as one')).rows).toEqual([{ one: 1 }])
  })

  test('if creating partitions fails for one log table, the other log table still gets its partitions', async () => {
    await owner.raw('drop table provider_callbacks_first')
    await maintainPartitions({ db, clock: () => new Date(), log, retention: defaultRetention }, never)
    expect(failed.map(({ table }) => table)).toEqual(['provider_callbacks'])
    expect(await listPartitions(db, 'webhook_attempts')).toHaveLength(3)
    await owner.raw('drop table webhook_attempts_first')
    await owner.raw('drop table ??, ??', [
      nameOf(monthsFrom(today, 2)).replace('provider_callbacks', 'webhook_attempts'),
      nameOf(monthsFrom(today, 3)).replace('provider_callbacks', 'webhook_attempts'),
    ])
    await maintainPartitions({ db, clock: () => new Date(), log, retention: defaultRetention }, never)
    expect(failed.map(({ table, err }) => [table, err.message])).toEqual([
      ['provider_callbacks', 'provider_callbacks has no partition'],
      ['provider_callbacks', 'provider_callbacks has no partition'],
      ['webhook_attempts', 'webhook_attempts has no partition'],
    ])
  })

  test("when a partition's retention period ends, the partition is dropped, including rows that were inserted late", async () => {
    const [first, second] = [monthsFrom(today, -5), monthsFrom(today, -4)]
    await beganBefore(owner, first)
    await keep()
    const [old, young] = [idAt(monthsFrom(today, -6)), idAt(first)]
    for (const id of [old, young]) await keepCallback(db, id)
    // The retention period is two days longer than the test needs, because midnight may pass during the test.
    await keep(daysSince(first) + 2)
    expect(await idsIn(owner, 'provider_callbacks')).toEqual([old, young])
    await keep(daysSince(first))
    expect(await idsIn(owner, 'provider_callbacks')).toEqual([young])
    expect((await namesOf(db))[0]).toBe(nameOf(first))
    // Drops the second month's partition, which also contains a late row from the first month.
    await keepCallback(db, idAt(monthsFrom(today, -6), 2))
    await keep(daysSince(second))
    expect(await idsIn(owner, 'provider_callbacks')).toEqual([])
  })

  test.each([
    ['ahead', 24],
    ['behind', -24],
  ])(
    'a process whose clock is years %s neither drops monthly partitions of a table nor creates partitions in advance',
    async (_, months) => {
      await beganBefore(owner, monthsFrom(today, -5))
      await keep()
      await keepCallback(db, idAt(monthsFrom(today, -6)))
      const before = await namesOf(db)
      await keep(months > 0 ? daysSince(monthsFrom(today, -5)) + 2 : 100, () => monthsFrom(today, months))
      expect(await namesOf(db)).toEqual(before)
    },
  )

  test('monthly partitions are never dropped if no retention period is set', async () => {
    await beganBefore(owner, monthsFrom(today, -14))
    const id = idAt(monthsFrom(today, -15))
    await keepCallback(db, id)
    await keep()
    expect(await idsIn(owner, 'provider_callbacks')).toEqual([id])
    expect((await namesOf(db))[0]).toBe('provider_callbacks_first')
  })

  const [accountId, paymentId] = [newId(), newId()]
  const keepMoney = (id: string, ofPayment: string | null) =>
    db.raw(
      `insert into unexpected_money (id, kind, provider, provider_account_id, mode, reference, receipt, tenant_id, payment_id,
         amount, credited, paid_at, created_at)
       values (?, ?, 'midtrans', ?, 'live', ?, '', ?, ?, 1, false, now(), now())`,
      [id, ofPayment ? 'second_payment' : 'unknown_reference', accountId, id, ofPayment, ofPayment],
    )
  const [then, since] = [monthsFrom(today, -6), monthsFrom(today, -1)]
  const decide = `update unexpected_money set status = 'refunded', decided_at = now()`
  const unsettled: [string, () => Promise<unknown>, string][] = [
    [
      'one of its callbacks is not applied to its payment yet',
      () => keepCallback(db, idAt(then), { status: 'received' }),
      `update provider_callbacks set status = 'applied'`,
    ],
    [
      'one of its callbacks could not be parsed',
      async () => {
        await keepCallback(db, idAt(then), { status: 'unreadable' })
        await db.raw(
          `insert into unreadable_callbacks (callback_id, provider_account_id, digest, last_received_at)
           select id, provider_account_id, sha256(body), received_at from provider_callbacks where id = ?`,
          [idAt(then)],
        )
      },
      'delete from unreadable_callbacks',
    ],
    [
      'the Owner has not decided on unexpected money of the same time',
      () => keepMoney(idAt(then), null),
      decide,
    ],
    [
      'the Owner has not decided on unexpected money of a payment to which one of its callbacks refers',
      async () => {
        await keepCallback(db, idAt(then), { paymentId })
        await keepMoney(idAt(since), paymentId)
      },
      decide,
    ],
    [
      'the Owner has not decided on money for an unknown payment that one of its callbacks reported',
      () =>
        db.transaction(async tx => {
          // Both rows are inserted in one transaction, so that they get the same creation time.
          await keepCallback(tx, idAt(then), { status: 'unmatched', accountId })
          await keepMoney(idAt(since), null).transacting(tx)
        }),
      decide,
    ],
  ]
  test.each(unsettled)(
    'a monthly partition is kept after the end of its retention period while %s',
    async (_, open, settle) => {
      await beganBefore(owner, monthsFrom(today, -5))
      await open()
      await keepCallback(db, idAt(then, 9))
      await keep(100)
      expect(await idsIn(owner, 'provider_callbacks')).toContain(idAt(then, 9))
      await db.raw(settle)
      await keep(100)
      expect(await idsIn(owner, 'provider_callbacks')).toEqual([])
    },
  )

  test('an expired callback partition is dropped even if the money from callbacks in other partitions still awaits a decision', async () => {
    await beganBefore(owner, monthsFrom(today, -5))
    await keepCallback(db, idAt(then), { status: 'unmatched', accountId })
    await keepMoney(idAt(since), null)
    await keepMoney(idAt(since, 2), paymentId)
    await keep(100)
    expect(await idsIn(owner, 'provider_callbacks')).toEqual([])
  })

  test("one log's retention period does not affect another log's partitions", async () => {
    await beganBefore(owner, monthsFrom(today, -5))
    const retention = { ...defaultRetention, callbackDays: 100 }
    await maintainPartitions({ db, clock: () => new Date(), log, retention }, never)
    const first = async (table: 'provider_callbacks' | 'webhook_attempts') =>
      (await listPartitions(db, table))[0]?.name
    expect(await first('provider_callbacks')).not.toBe('provider_callbacks_first')
    expect(await first('webhook_attempts')).toBe('webhook_attempts_first')
  })

  test('a partition of webhook attempts is kept while an event from its month or an earlier month is pending', async () => {
    await beganBefore(owner, monthsFrom(today, -5))
    const [tenantId, eventId] = [newId(), idAt(monthsFrom(today, -6))]
    await db.raw(
      `insert into webhook_queue (tenant_id, event_id, status, attempts_left, next_attempt_at)
       values (?, ?, 'pending', 1, now())`,
      [tenantId, eventId],
    )
    await db.raw(
      'insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms) values (?, ?, 1, now(), 1)',
      [tenantId, eventId],
    )
    const count = async () =>
      (await db.raw('select count(*)::integer as count from webhook_attempts')).rows[0].count
    await keep(100)
    expect(await count()).toBe(1)
    await db.raw('delete from webhook_queue')
    await keep(100)
    expect(await count()).toBe(0)
    // A webhook attempt is recorded even if the retention period of its event has passed.
    await db.raw(
      'insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms) values (?, ?, 2, now(), 1)',
      [tenantId, eventId],
    )
    expect(await count()).toBe(1)
  })

  test('a query by id reads only the partitions that can contain the id, even with a generic plan', async () => {
    await beganBefore(owner, monthsFrom(today, -12))
    await keep()
    const read = async (explained: string): Promise<Set<string>> => {
      const { rows } = await db.raw(explained)
      const plan = rows.map((row: { 'QUERY PLAN': string }) => row['QUERY PLAN']).join('\n')
      return new Set(plan.match(/ on provider_callbacks_(\w+)/g))
    }
    const id = idAt(monthsFrom(today, -5))
    expect((await read(`explain select from provider_callbacks where id = '${id}'`)).size).toBe(1)
    expect((await read(`explain select from provider_callbacks where id = any('{${id}}')`)).size).toBe(1)
    const connected = await db.transaction()
    try {
      await connected.raw('set local plan_cache_mode = force_generic_plan')
      await connected.raw('prepare one (uuid) as select from provider_callbacks where id = $1')
      const { rows } = await connected.raw(`explain execute one ('${id}')`)
      expect(JSON.stringify(rows).match(/on provider_callbacks_\w+/g)).toHaveLength(1)
    } finally {
      await connected.rollback()
    }
  })
})

test('each partition of a log table has as many indexes as the log table itself', async () => {
  const { db } = await testDatabase()
  await maintainPartitions({ db, clock: () => new Date(), log, retention: defaultRetention }, never)
  const { rows } = await db.raw<{ rows: { log: string; counts: string[] }[] }>(
    `select p.relname as log, array_agg(distinct (select count(*) from pg_index where indrelid = i.inhrelid)) as counts,
            (select count(*) from pg_index where indrelid = p.oid) as own
     from pg_inherits i join pg_class p on p.oid = i.inhparent and p.relkind = 'p' group by p.oid, p.relname order by 1`,
  )
  expect(rows).toEqual([
    { log: 'api_requests', counts: [2n], own: 2n },
    { log: 'provider_callbacks', counts: [4n], own: 4n },
    { log: 'webhook_attempts', counts: [1n], own: 1n },
  ])
})
