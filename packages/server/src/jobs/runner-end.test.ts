// Tests our patch to the job queue Graphile Worker (patches/). If a job runner ends while the database is becoming
// unavailable, the patched worker starts another runner. Without the patch, the process would end, or the runner would
// take no more jobs.

import { setTimeout as pause } from 'node:timers/promises'
import { Logger, run, type TaskList } from 'graphile-worker'
import pg from 'pg'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { atEnd } from '../../test/support/at-end.ts'
import { testDatabase } from '../../test/support/database.ts'
import { databaseProxy } from '../../test/support/database-proxy.ts'

const unhandled: unknown[] = []
const note = (error: unknown) => unhandled.push(error)
beforeEach(() => {
  unhandled.length = 0
  process.on('unhandledRejection', note)
})
afterEach(() => process.off('unhandledRejection', note))

const silent = new Logger(() => () => {})

function poolOf(url: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  pool.on('error', () => {})
  pool.on('connect', client => client.on('error', () => {}))
  atEnd(() => pool.end())
  return pool
}

const runner = async (pgPool: pg.Pool, taskList: TaskList) => {
  const started = await run({
    pgPool,
    taskList,
    logger: silent,
    noHandleSignals: true,
    // The job runner in this test has the same settings as the runners in jobs/worker.ts.
    preset: {
      worker: {
        concurrentJobs: 1,
        localQueue: { size: 10 },
        completeJobBatchDelay: 0,
        failJobBatchDelay: 0,
        gracefulShutdownAbortTimeout: 100,
      },
    },
  })
  started.promise.catch(() => {})
  return started
}

test('the job worker continues even if it fails to release jobs it has fetched but not started', async () => {
  const { url } = await testDatabase()
  const proxy = await databaseProxy(url)
  const begun = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const job = async () => {
    begun.resolve()
    await ended.promise
  }
  const direct = poolOf(url)
  await direct.query(`select graphile_worker.add_job('wait') from generate_series(1, 5)`)
  const { stop } = await runner(poolOf(proxy.url), { wait: job })
  await begun.promise
  proxy.cut()
  const stopped = stop().catch(() => {})
  ended.resolve()
  await stopped
  await pause(100)
  expect(unhandled).toEqual([])
})

test('the job worker keeps running if its listening connection breaks while being closed', async () => {
  const { url } = await testDatabase()
  const listened = Promise.withResolvers<void>()
  const [listening, unlistening] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const pool = poolOf(url)
  pool.on('connect', client => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      if (String(args[0]).startsWith('UNLISTEN')) return unlistening.promise
      if (!String(args[0]).startsWith('LISTEN')) return query(...args)
      listened.resolve()
      return listening.promise
    }) as typeof client.query
  })
  const { stop } = await runner(pool, { wait: async () => {} })
  await listened.promise
  const stopped = stop().catch(() => {})
  await pause(50)
  listening.reject(new Error('Connection terminated unexpectedly'))
  await pause(50)
  unlistening.resolve()
  await stopped
  await pause(100)
  expect(unhandled).toEqual([])
})

test('a job runner ends even if it cannot mark two concurrent batches of jobs as completed', async () => {
  const { url } = await testDatabase()
  const telling: PromiseWithResolvers<never>[] = []
  const pool = poolOf(url)
  pool.on('connect', client => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const { text = args[0] } = args[0] as { text?: string }
      if (!/delete from .*_private_jobs/s.test(String(text))) return query(...args)
      telling.push(Promise.withResolvers())
      return telling.at(-1)?.promise
    }) as typeof client.query
  })
  await pool.query(`select graphile_worker.add_job('wait')`)
  const { promise } = await runner(pool, { wait: async () => {} })
  await expect.poll(() => telling.length).toBe(1)
  await pool.query(`select graphile_worker.add_job('wait')`)
  await expect.poll(() => telling.length).toBe(2)
  for (const each of telling) each.reject(new Error('Connection terminated unexpectedly'))
  // Without our patch to Graphile Worker, the runner's count of batches in progress becomes negative, so the
  // runner never ends.
  await promise.catch(() => {})
})
