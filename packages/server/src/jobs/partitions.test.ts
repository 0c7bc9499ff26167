import { expect, test, vi } from 'vitest'
import { createDb } from '../db/db.ts'
import { createLog } from '../logging/log.ts'
import { defaultRetention } from '../retention/retention.ts'
import { jobMetrics } from './job-metrics.ts'
import { startPartitions } from './partitions.ts'

test("if partition maintenance never succeeds, its metric contains the worker's start time, so the alert fires", async () => {
  jobMetrics.partitionsMaintained.set(0)
  const db = createDb('postgres://nobody@127.0.0.1:1/none', { max: 1 })
  const log = createLog('silent')
  const error = vi.spyOn(log, 'error')
  const startedAt = Date.now() / 1_000
  const clock = () => new Date()
  const partitions = startPartitions({ db, clock, log, retention: defaultRetention })
  await expect
    .poll(() => error.mock.calls.map(([, message]) => message))
    .toContainEqual(expect.stringMatching('^partition maintenance failed'))
  const { values } = await jobMetrics.partitionsMaintained.get()
  expect(values[0]?.value).toBeGreaterThanOrEqual(startedAt)
  await partitions.stop()
  await db.destroy()
})
