import pg from 'pg'
import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { databaseProxy } from '../../test/support/database-proxy.ts'
import { isDatabaseUnavailable } from './database-errors.ts'
import { createDb, type Db } from './db.ts'

const { url, db } = await testDatabase()

async function one<Row>(sql: string): Promise<Row> {
  const { rows } = await db.raw<{ rows: Row[] }>(sql)
  return rows[0] as Row
}

describe('values read from the database have exact JavaScript types', () => {
  test("a bigint column's value is read from the database as an exact bigint, even inside an array", async () => {
    const row = await one(
      `select 9007199254740993::int8 as amount, array[1, null, 9007199254740993]::int8[] as many`,
    )
    expect(row).toEqual({ amount: 9007199254740993n, many: [1n, null, 9007199254740993n] })
  })

  test('a timestamp column is read from the database as a Date, and a day column as text', async () => {
    const row = await one(`select '2026-01-31 23:59:59.5+07'::timestamptz as at, '2026-01-31'::date as day`)
    expect(row).toEqual({ at: new Date('2026-01-31T16:59:59.5Z'), day: '2026-01-31' })
  })

  test('other code in the same process that uses the pg library still gets values in pg’s default types', async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const { rows } = await client.query('select 1::int8 as amount')
    await client.end()
    expect(rows).toEqual([{ amount: '1' }])
  })
})

describe('a bigint parameter reaches the database with its exact value', () => {
  test('a bigint passed as a parameter, alone or in an array, reaches the database with its exact value', async () => {
    const { rows } = await db.raw('select :amount::int8 as amount, :many::int8[] as many', {
      amount: 9007199254740993n,
      many: [1n, -2n],
    })
    expect(rows).toEqual([{ amount: 9007199254740993n, many: [1n, -2n] }])
  })
})

describe('a lost database connection makes at most one transaction fail', () => {
  const drop = (name: string) =>
    db.raw('select pg_terminate_backend(pid) from pg_stat_activity where application_name = ?', [name])

  test('a database connection lost while idle is replaced without an error', async () => {
    const other = createDb(url, { max: 1, name: 'idle' })
    await other.raw('select 1')
    await drop('idle')
    await expect.poll(() => other.raw('select 2 as two').then(({ rows }) => rows)).toEqual([{ two: 2 }])
    await other.destroy()
  })

  test('a database connection lost during a transaction makes only that transaction fail', async () => {
    const other = createDb(url, { max: 1, name: 'busy' })
    const transaction = other.transaction(async tx => {
      await tx.raw('create table half_done (id int)')
      await drop('busy')
      await tx.raw('select 1')
    })
    await expect(transaction).rejects.toThrow()
    const { rows } = await other.raw(`select to_regclass('half_done') as there`)
    expect(rows).toEqual([{ there: null }])
    await other.destroy()
  })
})

describe('if a database connection does not respond, the service stops using this connection', () => {
  const pidOf = async (on: Db): Promise<number> =>
    (await on.raw('select pg_backend_pid() as pid')).rows[0].pid

  test('a database connection that gets no response in time is abandoned, and the next query uses another connection', async () => {
    const proxy = await databaseProxy(url)
    const other = createDb(`${proxy.url}?query_timeout=500`, { max: 1 })
    const pid = await pidOf(other)
    proxy.failOver()
    await expect(other.raw('select 1')).rejects.toThrow('Query read timeout')
    expect(await pidOf(other)).not.toBe(pid)
    await other.destroy()
  })

  test('a database connection that gets no response in time during a transaction is abandoned', async () => {
    const proxy = await databaseProxy(url)
    const other = createDb(`${proxy.url}?query_timeout=500`, { max: 1 })
    const transaction = other.transaction(async tx => {
      proxy.failOver()
      await tx.raw('select 1')
    })
    await expect(transaction).rejects.toThrow('Query read timeout')
    expect(await pidOf(other)).toBeGreaterThan(0)
    await other.destroy()
  })

  test('a database connection is reused after a failed statement, even for a query that was already waiting', async () => {
    const other = createDb(url, { max: 1 })
    const pid = await pidOf(other)
    for (let times = 0; times < 20; times++) {
      const [failed, next] = await Promise.allSettled([other.raw('select 1 / 0'), pidOf(other)])
      expect([failed.status, next]).toEqual(['rejected', { status: 'fulfilled', value: pid }])
    }
    await other.destroy()
  })
})

test('if the connection breaks or hangs during a statement, the error reports an unavailable database', async () => {
  const proxy = await databaseProxy(url)
  const other = createDb(`${proxy.url}?query_timeout=500`, { max: 1 })
  const errorOf = () => other.raw('select 1 as one').catch((error: unknown) => error)
  // The test repeats the query until it succeeds. A busy machine may need longer than the time limit of 500 ms, even
  // for a query this simple.
  await expect.poll(errorOf).toMatchObject({ rows: [{ one: 1 }] })
  proxy.failOver()
  const unanswered = (await errorOf()) as Error
  expect([unanswered.message, isDatabaseUnavailable(unanswered)]).toEqual([
    expect.stringContaining('Query read timeout'),
    true,
  ])
  await errorOf()
  const asleep = other.raw('select pg_sleep(60)').catch((error: unknown) => error)
  setTimeout(proxy.cut, 100)
  expect(isDatabaseUnavailable(await asleep)).toBe(true)
  expect(isDatabaseUnavailable(await db.raw('select 1 / 0').catch((error: unknown) => error))).toBe(false)
  await other.destroy()
})

test('PostgreSQL ends statements and idle transactions of the service after 30 seconds', async () => {
  const limits = await one(
    `select current_setting('statement_timeout') as statement,
            current_setting('idle_in_transaction_session_timeout') as idle`,
  )
  expect(limits).toEqual({ statement: '30s', idle: '30s' })
})
