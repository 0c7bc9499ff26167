import { expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { databaseProxy } from '../../test/support/database-proxy.ts'
import { jobPool } from './job-pool.ts'

const { url } = await testDatabase()

/**
 * Returns the ID of the database server process that serves a connection from the pool. Like Graphile Worker, the
 * function releases the connection even if the query failed.
 */
async function pidOf(pool: ReturnType<typeof jobPool>, sql = 'select pg_backend_pid() as pid') {
  const client = await pool.connect()
  try {
    return (await client.query(sql)).rows[0].pid as number
  } finally {
    client.release()
  }
}

test("if one of the job queue's database connections gets no response in time, another connection replaces it", async () => {
  const proxy = await databaseProxy(url)
  const lost: Error[] = []
  const pool = jobPool(`${proxy.url}?query_timeout=500`, error => lost.push(error))
  const pid = await pidOf(pool)
  proxy.failOver()
  await expect(pidOf(pool)).rejects.toThrow('Query read timeout')
  expect(await pidOf(pool)).not.toBe(pid)
  await pool.end()
})

test('the job queue reuses a database connection after a failed query', async () => {
  const pool = jobPool(url, () => {})
  const pid = await pidOf(pool)
  await expect(pidOf(pool, 'select 1 / 0')).rejects.toThrow('division by zero')
  expect(await pidOf(pool)).toBe(pid)
  await pool.end()
})
