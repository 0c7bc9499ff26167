import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, inject, test } from 'vitest'
import { emptyDatabase, type TestDatabase } from '../../test/support/database.ts'
import { databaseUrl } from '../../test/support/database-url.ts'
import { createDb } from '../db/db.ts'
import { migrate, migrationsDirectory } from '../db/migrate/migrate.ts'
import { createLog } from '../logging/log.ts'
import { newId } from '../values/id.ts'
import { maintainPartitions } from './maintain-partitions.ts'
import { defaultRetention } from './retention.ts'

let database: TestDatabase

/** Each test gets a database with the old schema, in which the log tables are not partitioned yet. */
beforeEach(async () => {
  database = await emptyDatabase()
  const before = await mkdtemp(join(tmpdir(), 'gapura-migrations-'))
  try {
    const names = (await readdir(migrationsDirectory)).filter(name => name < '0017')
    await Promise.all(names.map(name => cp(join(migrationsDirectory, name), join(before, name))))
    await migrate(database.url, before)
  } finally {
    await rm(before, { recursive: true })
  }
  return database.drop
})

test("an upgrade turns a log table into its first partition without breaking the previous release's statements", async () => {
  const { url, db } = database
  // Inserts a callback with the SQL statement of the previous release.
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
  const ids = [newId(), newId()] as const
  await insert(ids[0])
  const stored = await fileOf('provider_callbacks')

  await migrate(url)
  expect(await fileOf('provider_callbacks_first')).toEqual(stored)
  await insert(ids[1])
  expect(await unapplied([...ids])).toEqual(ids.map(id => ({ id })))
  await apply([...ids])
  expect(await unapplied([...ids])).toEqual([])
  const { rows } = await db.raw('select id from provider_callbacks_first order by id')
  expect(rows).toEqual(ids.map(id => ({ id })))
})

test('after partitioning, exactly the roles with access to the log can access the log and its partitions', async () => {
  const { url, db } = database
  const { adminUrl } = inject('databaseUrls')
  const asAdmin = createDb(databaseUrl(adminUrl, new URL(url).pathname.slice(1)), { max: 1 })
  const [auditor, clerk, other] = [`auditor_${newId()}`, `clerk_${newId()}`, `other_${newId()}`] as const
  const as = (role: string, sql: string) =>
    asAdmin.transaction(async tx => {
      await tx.raw('set local role ??', [role])
      await tx.raw(sql)
    })
  try {
    for (const role of [auditor, clerk, other]) await asAdmin.raw('create role ??', [role])
    await db.raw('grant select on provider_callbacks to ?? with grant option', [auditor])
    await db.raw('grant select (id), update (reason) on provider_callbacks to ??', [clerk])
    await db.raw('alter default privileges grant select on tables to ??', [other])

    await migrate(url)
    await maintainPartitions(
      { db, clock: () => new Date(), log: createLog('silent'), retention: defaultRetention },
      new AbortController().signal,
    )
    const { rows: partitions } = await db.raw<{ rows: { name: string }[] }>(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'provider_callbacks'::regclass`,
    )
    expect(partitions).toHaveLength(4)
    for (const table of ['provider_callbacks', ...partitions.map(({ name }) => name)]) {
      await as(auditor, `select * from ${table}`)
      await as(auditor, `grant select on ${table} to "${clerk}"; revoke select on ${table} from "${clerk}"`)
      await as(clerk, `update ${table} set reason = '' where id is null`)
      await expect(as(clerk, `select body from ${table}`)).rejects.toThrow('permission denied')
      await expect(as(other, `select id from ${table}`)).rejects.toThrow('permission denied')
    }
  } finally {
    for (const role of [auditor, clerk, other])
      await asAdmin.raw('drop owned by ??; drop role ??', [role, role])
    await asAdmin.destroy()
  }
})
