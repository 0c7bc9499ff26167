// Each test starts its own PostgreSQL primary and synchronous standby, because the tests stop these servers or promote
// the standby to primary.

import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { type PostgresServers, startPostgresServers } from '../../../test/support/postgres-servers.ts'
import { jobPool } from '../../jobs/job-pool.ts'
import { isDatabaseUnavailable } from '../database-errors.ts'
import { createDb, type Db } from '../db.ts'
import { DatabaseClient } from './database-client.ts'

async function twoServers(): Promise<{ servers: PostgresServers; url: string; db: Db }> {
  const directory = await mkdtemp(join(tmpdir(), 'gapura-servers-'))
  await chmod(directory, 0o711)
  const servers = await startPostgresServers(directory)
  const url = `postgres://gapura_owner@/gapura?host=${servers.socketDirs.join(',')}&target_session_attrs=read-write`
  const db = createDb(url, { max: 2 })
  onTestFinished(async () => {
    await db.destroy()
    await servers.stop()
    await rm(directory, { recursive: true })
  })
  await db.raw('create table money (n int)')
  return { servers, url, db }
}

const countOf = async (db: Db): Promise<number> =>
  (await db.raw('select count(*)::int as count from money')).rows[0].count

const errorOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    error => error,
  )

test('after a standby database server is promoted, each kind of database connection finds the new primary', async () => {
  const { servers, url, db } = await twoServers()
  const jobs = jobPool(url, () => {})
  onTestFinished(() => jobs.end())
  await db.raw('insert into money values (1)')
  await jobs.query('insert into money values (2)')

  await servers.kill()
  expect(isDatabaseUnavailable(await errorOf(db.raw('insert into money values (3)')))).toBe(true)
  expect(isDatabaseUnavailable(await errorOf(db.raw('insert into money values (3)')))).toBe(true)
  await servers.promote()

  await expect.poll(() => countOf(db)).toBe(2)
  await db.raw('insert into money values (3)')
  const { rows } = await jobs.query('select count(*)::int as count from money')
  expect(rows).toEqual([{ count: 3 }])
  const listener = new DatabaseClient({ connectionString: url })
  await listener.connect()
  await listener.query('listen something')
  await listener.end()

  // A former primary that restarts as a primary accepts writes, but these writes would be lost. No connection may
  // therefore use this server.
  await servers.startFormerPrimary()
  const asleep = errorOf(db.raw('select pg_sleep(60)'))
  await asAdmin(
    servers,
    `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'gapura_owner'`,
  )
  expect(isDatabaseUnavailable(await asleep)).toBe(true)
  await expect.poll(() => countOf(db)).toBe(3)
})

test('a write to a read-only database server fails as unavailable, and the pool reconnects', async () => {
  const { servers, db } = await twoServers()
  const setReadOnly = async (value: 'on' | 'off') => {
    await asAdmin(servers, `alter system set default_transaction_read_only = ${value}`)
    await asAdmin(servers, 'select pg_reload_conf()')
  }
  await db.raw('insert into money values (1)')
  await setReadOnly('on')
  // The new setting takes effect after a short delay, so the first inserts may still succeed.
  await expect.poll(() => errorOf(db.raw('insert into money values (2)'))).toSatisfy(isDatabaseUnavailable)
  // The test repeats this query. If the pool is just closing the connection that the query uses, the query fails for
  // that reason. The next query opens a new connection.
  await expect
    .poll(() => errorOf(db.raw('select 1')))
    .toSatisfy(
      (error: Error) => isDatabaseUnavailable(error) && error.message.startsWith('no server accepts writes'),
    )
  // If the URL has no target_session_attrs, a connection can use a standby, because the operator may have
  // chosen the standby on purpose.
  const plain = createDb(servers.url('gapura_owner'), { max: 1 })
  expect(await countOf(plain)).toBeGreaterThan(0)
  await plain.destroy()

  await setReadOnly('off')
  await expect.poll(() => errorOf(db.raw('insert into money values (3)'))).toBe(undefined)
})

test('if an operator cancels a commit that waits for the standby, the database counts as unavailable', async () => {
  const { servers, db } = await twoServers()
  await servers.stopStandby()
  const insert = (n: number) =>
    db.transaction(async tx => {
      await tx.raw('insert into money values (?)', [n])
    })
  const failure = errorOf(insert(1))
  const cancelWait = `select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'`
  await expect.poll(() => asAdmin(servers, cancelWait)).toBe(1)
  const { code } = (await failure) as { code: string }
  expect([code, isDatabaseUnavailable(await failure)]).toEqual(['08007', true])
  // Although the caller got an error, the primary has stored the row. If the caller repeats the request, the request
  // must find the row.
  expect(await countOf(db)).toBe(1)
  await servers.addStandby()
  await insert(2)
  expect(await countOf(db)).toBe(2)
})

/** Runs a statement as the superuser. Returns the number of rows. */
async function asAdmin(servers: PostgresServers, sql: string): Promise<number | null> {
  const admin = new pg.Client({ connectionString: servers.url('postgres') })
  await admin.connect()
  const { rowCount } = await admin.query(sql)
  await admin.end()
  return rowCount
}
