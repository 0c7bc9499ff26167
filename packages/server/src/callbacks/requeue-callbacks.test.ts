// Tests which callbacks the periodic check queues again. apply-callbacks.test.ts tests the loss of jobs.

import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../test/support/database.ts'
import { later, now } from '../../test/support/make.ts'
import { newId } from '../values/id.ts'
import { insertCallbacks, moveToOwnJobs, requeueUnappliedCallbacks } from './callback.sql.ts'

const { db } = await testDatabase()
const PRIORITY = 7
let id: string
beforeEach(async () => {
  id = newId()
  await insertCallbacks(db, [
    {
      ...{ id, provider: 'midtrans', providerAccountId: newId(), path: '', headers: {}, trace: null },
      ...{ body: Buffer.from('{}'), receivedAt: now },
    },
  ])
})

const postpone = (minutes: number) => moveToOwnJobs(db, [{ id, priority: PRIORITY }], minutes * 60_000)
const sweep = () => requeueUnappliedCallbacks(db, later(1), 100)
async function job() {
  const { rows } = await db.raw(
    `select run_at, run_at <= now() as "isDue", priority, attempts from graphile_worker.jobs where key = ?`,
    [id],
  )
  return rows[0]
}

test('the periodic check does not change the job of a callback that is postponed by several minutes', async () => {
  await postpone(4)
  const postponed = await job()
  expect(postponed).toMatchObject({ isDue: false, priority: PRIORITY })
  await sweep()
  expect(await job()).toEqual(postponed)
})

test('the periodic check makes a job due now if failures postponed its next attempt too far', async () => {
  await postpone(4)
  await db.raw('update graphile_worker._private_jobs set attempts = 6 where key = ?', [id])
  await sweep()
  expect(await job()).toMatchObject({ isDue: true, priority: PRIORITY, attempts: 0 })
})
