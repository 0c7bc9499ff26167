import { expect, onTestFinished, test } from 'vitest'
import { testApp } from '../../test/support/app.ts'
import { sentWhile } from '../../test/support/sent-statements.ts'
import { newId } from '../values/id.ts'
import { startWorker } from './worker.ts'

const OTHER_JOBS = 40
/** The pause after a query that finds no job is random, but always longer than this. */
const SHORTEST_PAUSE_MS = 45

const { app, databaseUrl } = await testApp({ worker: false })

const queueWebhooks = () =>
  app.db.raw(
    `select enqueue('deliver_due_webhooks', array[json_build_object('tenant_ids', json_build_array(?::text))],
       array[null]::text[])`,
    [newId()],
  )

test('a job runner for rare jobs pauses after finding no job, even if jobs are added', async () => {
  const startedAt = performance.now()
  const sent = await sentWhile(async () => {
    const worker = await startWorker(app, databaseUrl, { alone: false, only: ['mails'] })
    onTestFinished(worker.stop)
    for (let n = 0; n < OTHER_JOBS; n += 1) await queueWebhooks()
  })
  const pauses = (performance.now() - startedAt) / SHORTEST_PAUSE_MS
  // Graphile Worker's query for jobs begins with this name.
  const queries = sent.filter(({ text }) => text.includes('with j_raw as'))
  expect(queries.length).toBeGreaterThan(0)
  expect(queries.length).toBeLessThanOrEqual(1 + pauses)
})
