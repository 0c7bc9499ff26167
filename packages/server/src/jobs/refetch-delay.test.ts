// Tests our patch (patches/) to the refetch delay of the job queue Graphile Worker. The refetch delay is the pause
// after a query that finds no job. A job that is added during this query or the pause must be fetched when the pause
// ends. Without the patch, the job would wait for the next poll, which is ten minutes later in these tests.

import { EventEmitter } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { Logger, run, type TaskList, type WorkerEvents } from 'graphile-worker'
import pg from 'pg'
import { expect, test } from 'vitest'
import { atEnd } from '../../test/support/at-end.ts'
import { testDatabase } from '../../test/support/database.ts'

const { url } = await testDatabase()

/**
 * Starts a job runner whose pauses last 50 to 150 ms. Returns when the runner receives notifications and is not
 * pausing.
 */
async function startRunner(pgPool: pg.Pool, taskList: TaskList): Promise<WorkerEvents> {
  const events: WorkerEvents = new EventEmitter()
  const preset = {
    worker: {
      pollInterval: 600_000,
      localQueue: {
        size: 10,
        refetchDelay: { durationMs: 100, maxAbortThreshold: Number.POSITIVE_INFINITY },
      },
    },
  }
  const logger = new Logger(() => () => {})
  const { stop } = await run({ pgPool, taskList, events, preset, logger, noHandleSignals: true })
  atEnd(stop)
  let isNotified = false
  events.on('pool:listen:notification', () => {
    isNotified = true
  })
  await expect
    .poll(async () => {
      await addJob('unknown')
      return isNotified
    })
    .toBe(true)
  await pause(400)
  return events
}

function newPool(): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 4 })
  // At the end, the database is dropped, which may terminate an idle connection before the pool has closed it.
  pool.on('error', () => {})
  atEnd(() => pool.end())
  return pool
}
const jobs = newPool()
const addJob = (task: string) => jobs.query('select graphile_worker.add_job($1)', [task])

test('a job that is added during the pause of a job runner is fetched when the pause ends', async () => {
  let isFetched = false
  const events = await startRunner(newPool(), {
    in_pause: async () => {
      isFetched = true
    },
  })
  events.once('localQueue:refetchDelay:start', () => void addJob('in_pause'))
  await addJob('unknown')
  await expect.poll(() => isFetched).toBe(true)
})

test("a job added during a query that finds no job is fetched after the query's pause", async () => {
  const pool = newPool()
  let whileQuerying: (() => Promise<unknown>) | undefined
  pool.on('connect', client => {
    const query = client.query.bind(client) as (...args: unknown[]) => Promise<unknown>
    client.query = (async (...args: unknown[]) => {
      const result = await query(...args)
      const { text = args[0] } = args[0] as { text?: string }
      if (String(text).includes('with j_raw as')) await whileQuerying?.()
      return result
    }) as typeof client.query
  })
  let isFetched = false
  const events = await startRunner(pool, {
    in_query: async () => {
      isFetched = true
    },
  })
  whileQuerying = async () => {
    whileQuerying = undefined
    const notified = new Promise(resolve => events.once('pool:listen:notification', resolve))
    await addJob('in_query')
    await notified
  }
  await addJob('unknown')
  await expect.poll(() => isFetched).toBe(true)
})
