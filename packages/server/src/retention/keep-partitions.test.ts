import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { emptyDatabase, testDatabase } from '../../test/support/database.ts'
import type { Db } from '../db/db.ts'
import { migrate, migrationsDirectory } from '../db/migrate.ts'
import { firstIdAt, newId } from '../id.ts'
import { createLog } from '../log.ts'
import { keepPartitions } from './keep-partitions.ts'
import { listPartitions } from './partition.sql.ts'

const log = createLog('silent')
const monthsFrom = (at: Date, months: number) =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + months))
const today = new Date()
const nameOf = (month: Date) => `provider_callbacks_${month.toISOString().slice(0, 7).replace('-', '_')}`

/** The last digits say which of a moment's. */
const idAt = (at: Date, number = 1) => firstIdAt(at).slice(0, -1) + number

const keepCallback = (db: Db, id: string, status = 'applied') =>
  db.raw(
    `insert into provider_callbacks (id, provider_account_id, provider, headers, body, status) values (?, ?, 'midtrans', '{}', '', ?)`,
    [id, newId(), status],
  )
const idsIn = async (db: Db, table: string): Promise<string[]> =>
  (await db.raw('select id from ?? order by id', [table])).rows.map(({ id }: { id: string }) => id)
const namesOf = async (db: Db): Promise<string[]> =>
  (await listPartitions(db, 'provider_callbacks')).map(({ name }) => name)

describe('the partitions of a log', () => {
  let db: Db
  beforeEach(async () => {
    const database = await emptyDatabase()
    await migrate(database.url)
    db = database.db
    return database.drop
  })
  const keep = (at: Date, logRetentionDays?: number) =>
    keepPartitions({ db, clock: () => at, log, logRetentionDays })

  test('are made three months ahead, once, whoever looks and how often', async () => {
    const thisMonth = monthsFrom(today, 0)
    await Promise.all([keep(today), keep(today)])
    await keep(today)
    expect(await namesOf(db)).toEqual([
      'provider_callbacks_first',
      nameOf(monthsFrom(thisMonth, 2)),
      nameOf(monthsFrom(thisMonth, 3)),
    ])
    const id = idAt(monthsFrom(thisMonth, 3))
    await keepCallback(db, id)
    expect(await idsIn(db, nameOf(monthsFrom(thisMonth, 3)))).toEqual([id])
  })

  test('take over what came while they were missing', async () => {
    const late = monthsFrom(today, 8)
    const ids = [idAt(late), idAt(late, 2), idAt(monthsFrom(today, 9), 3)]
    for (const id of ids) await keepCallback(db, id)
    expect(await idsIn(db, 'provider_callbacks_default')).toEqual(ids)
    await keep(late)
    expect(await idsIn(db, nameOf(late))).toEqual(ids.slice(0, 2))
    expect(await idsIn(db, 'provider_callbacks_default')).toEqual([])
    expect(await idsIn(db, 'provider_callbacks')).toEqual(ids)
  })

  test('are dropped when their time is over, with what came late for them', async () => {
    await keep(today)
    const young = idAt(monthsFrom(today, 2))
    for (const id of [idAt(today), young]) await keepCallback(db, id)
    // The first ends with next month; a day before it is 100 days old nothing happens.
    const end = monthsFrom(today, 2).getTime()
    await keep(new Date(end + 99 * 86_400_000), 100)
    expect(await idsIn(db, 'provider_callbacks')).toEqual([idAt(today), young])
    await keep(new Date(end + 100 * 86_400_000), 100)
    expect(await idsIn(db, 'provider_callbacks')).toEqual([young])
    expect((await namesOf(db))[0]).toBe(nameOf(monthsFrom(today, 2)))
    // A month later the next, and a straggler of the first with it.
    await keepCallback(db, idAt(today, 2))
    await keep(new Date(monthsFrom(today, 3).getTime() + 100 * 86_400_000), 100)
    expect(await idsIn(db, 'provider_callbacks')).toEqual([])
  })

  test('are never dropped where no retention is set', async () => {
    await keepCallback(db, idAt(today))
    await keep(monthsFrom(today, 14))
    expect(await idsIn(db, 'provider_callbacks')).toEqual([idAt(today)])
    expect((await namesOf(db))[0]).toBe('provider_callbacks_first')
  })

  const unsettled: [string, () => Promise<unknown>, string][] = [
    [
      'a callback of theirs is not applied',
      () => keepCallback(db, idAt(today), 'received'),
      `update provider_callbacks set status = 'applied'`,
    ],
    [
      'the Owner has not decided on money of their time',
      () =>
        db.raw(
          `insert into unexpected_money (id, kind, provider, provider_account_id, mode, reference, receipt, amount, credited, paid_at, created_at)
           values (?, 'unknown_reference', 'midtrans', ?, 'live', 'r', '', 1, false, now(), now())`,
          [idAt(today), newId()],
        ),
      `update unexpected_money set status = 'refunded', decided_at = now()`,
    ],
  ]
  test.each(unsettled)('are kept beyond their time while %s', async (_, open, settle) => {
    await open()
    await keepCallback(db, idAt(today, 9))
    const muchLater = monthsFrom(today, 8)
    await keep(muchLater, 100)
    expect(await idsIn(db, 'provider_callbacks')).toContain(idAt(today, 9))
    await db.raw(settle)
    await keep(muchLater, 100)
    expect(await idsIn(db, 'provider_callbacks')).toEqual([])
  })

  test('keep attempts while their event, or an earlier one, is pending', async () => {
    const [tenantId, eventId] = [newId(), idAt(today)]
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
    const muchLater = monthsFrom(today, 8)
    await keep(muchLater, 100)
    expect(await count()).toBe(1)
    await db.raw('delete from webhook_queue')
    await keep(muchLater, 100)
    expect(await count()).toBe(0)
    // An attempt at an event that is older than what is kept is written down all the same.
    await db.raw(
      'insert into webhook_attempts (tenant_id, event_id, number, started_at, duration_ms) values (?, ?, 2, now(), 1)',
      [tenantId, eventId],
    )
    expect(await count()).toBe(1)
  })

  test('are read only where the id leads, also by a plan that serves all ids', async () => {
    await keep(monthsFrom(today, 12))
    const read = async (explained: string): Promise<Set<string>> => {
      const { rows } = await db.raw(explained)
      const plan = rows.map((row: { 'QUERY PLAN': string }) => row['QUERY PLAN']).join('\n')
      return new Set(plan.match(/ on provider_callbacks_(\w+)/g))
    }
    const id = idAt(monthsFrom(today, 5))
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

test('an upgrade makes the rows that are there the first partition and rewrites none; statements of before go on', async () => {
  const before = await mkdtemp(join(tmpdir(), 'gapura-migrations-'))
  const { url, db, drop } = await emptyDatabase()
  // As the version before has them.
  const insert = (id: string) =>
    db.raw(
      `with inserted as (
         insert into provider_callbacks (id, provider_account_id, provider, received_at, path, headers, body)
         values (:id, :id, 'midtrans', now(), '', '{}', '{}') returning id
       )
       select enqueue('apply_callback', array[json_build_object('callback_id', id)], array[id::text]) from inserted`,
      { id },
    )
  const apply = (ids: string[]) =>
    db.raw(
      `update provider_callbacks c set status = o.status, processed_at = now()
       from jsonb_to_recordset(?) as o (id uuid, status text) where c.id = o.id and (c.status <> 'applied' or o.status = 'applied')`,
      [JSON.stringify(ids.map(id => ({ id, status: 'applied' })))],
    )
  const unapplied = async (ids: string[]) =>
    (
      await db.raw(
        `select id from provider_callbacks where id = any(?) and status = 'received' order by id`,
        [ids],
      )
    ).rows
  const fileOf = async (table: string) =>
    (await db.raw('select pg_relation_filenode(?) as file', [table])).rows
  try {
    const names = (await readdir(migrationsDirectory)).filter(name => name < '0017')
    await Promise.all(names.map(name => cp(join(migrationsDirectory, name), join(before, name))))
    await migrate(url, before)
    const ids = [newId(), newId()] as const
    await insert(ids[0])
    const stored = await fileOf('provider_callbacks')

    await migrate(url)
    expect(await fileOf('provider_callbacks_first')).toEqual(stored)
    await insert(ids[1])
    expect(await unapplied([...ids])).toEqual(ids.map(id => ({ id })))
    await apply([...ids])
    expect(await unapplied([...ids])).toEqual([])
    expect(await idsIn(db, 'provider_callbacks_first')).toEqual(ids)
  } finally {
    await drop()
    await rm(before, { recursive: true })
  }
})

test('every partition has the indexes of its log', async () => {
  const { db } = await testDatabase()
  await keepPartitions({ db, clock: () => today, log, logRetentionDays: undefined })
  const { rows } = await db.raw<{ rows: { log: string; counts: string[] }[] }>(
    `select p.relname as log, array_agg(distinct (select count(*) from pg_index where indrelid = i.inhrelid)) as counts,
            (select count(*) from pg_index where indrelid = p.oid) as own
     from pg_inherits i join pg_class p on p.oid = i.inhparent and p.relkind = 'p' group by p.oid, p.relname order by 1`,
  )
  expect(rows).toEqual([
    { log: 'provider_callbacks', counts: [4n], own: 4n },
    { log: 'webhook_attempts', counts: [1n], own: 1n },
  ])
})
