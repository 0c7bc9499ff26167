import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../test/support/app.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { databaseProxy } from '../../test/support/database-proxy.ts'
import { newId } from '../values/id.ts'
import { startWorker } from './worker.ts'

const sent = vi.hoisted(() => ({ emails: [] as string[], during: undefined as (() => unknown) | undefined }))
vi.mock('../auth/passwords/send-password-reset.ts', () => ({
  sendPasswordReset: async (_: unknown, { email }: { email: string }) => {
    sent.emails.push(email)
    await sent.during?.()
  },
}))

/**
 * `toFail` is the number of task lookups that will fail next, as if the job runner got no database
 * connection.
 */
const lookUps = vi.hoisted(() => ({ toFail: 0 }))
vi.mock(import('./job-pool.ts'), async original => {
  const { jobPool, ...rest } = await original()
  return {
    ...rest,
    jobPool: (...given) => {
      const pool = jobPool(...given)
      pool.on('connect', client => {
        const query = client.query.bind(client) as (...given: unknown[]) => unknown
        const failing = (...asked: unknown[]) =>
          JSON.stringify(asked[0]).includes('_private_tasks as tasks (identifier)') && lookUps.toFail-- > 0
            ? Promise.reject(new Error('no connection is free'))
            : query(...asked)
        client.query = failing as typeof client.query
      })
      return pool
    },
  }
})

const { app, databaseUrl } = await testApp({ worker: false })

const queue = (email: string) =>
  app.db.raw(
    `select enqueue('send_password_reset', array[json_build_object(
       'tenant_id', ?::text, 'email', ?::text, 'requested_at', now())], array[null]::text[])`,
    [newId(), email],
  )

test('a worker that loses the database connection during a job continues to run jobs after reconnecting', async () => {
  const proxy = await databaseProxy(databaseUrl)
  const worker = await startWorker(app, proxy.url, { alone: false, only: ['mails'] })
  // Each test stops its worker, because two workers would run each other's jobs.
  onTestFinished(worker.stop)
  sent.during = proxy.cut
  await queue('first@example.com')
  await expect.poll(() => sent.emails).toEqual(['first@example.com'])
  // The job runner stops, because it cannot record in the database that the job is complete.
  await expect.poll(worker.isRunning).toBe(false)
  sent.during = undefined
  proxy.mend()
  await expect.poll(worker.isRunning).toBe(true)
  await queue('second@example.com')
  await expect.poll(() => sent.emails).toContain('second@example.com')
  await expect.poll(() => sent.emails.filter(email => email.startsWith('first')).length).toBeGreaterThan(1)
})

test('a worker that cannot look up its tasks at startup tries again, and then runs jobs', async () => {
  sent.emails.length = 0
  lookUps.toFail = 2
  const worker = await startWorker(app, databaseUrl, { alone: false, only: ['mails'] })
  onTestFinished(worker.stop)
  await queue('after@example.com')
  await expect.poll(() => sent.emails).toEqual(['after@example.com'])
  expect(lookUps.toFail).toBeLessThanOrEqual(0)
})

/** Locks the email job for this address as if the worker fetched it `seconds` ago. */
const lockFor = (email: string, seconds: number) =>
  app.db.raw(
    `update graphile_worker._private_jobs set locked_by = (select pool_ids[1] from workers),
       locked_at = now() - ? * interval '1 second', run_at = now() where payload ->> 'email' = ?`,
    [seconds, email],
  )

test('a job is started again if the fetch response was lost, but not if it runs long', async () => {
  await app.db.raw('delete from workers')
  sent.emails.length = 0
  const ended = Promise.withResolvers<void>()
  sent.during = () => ended.promise
  const worker = await startWorker(app, databaseUrl, { alone: false, only: ['mails'] })
  atEnd(worker.stop)
  // The running job must end even if the test fails, because otherwise the test would wait for this job
  // forever.
  onTestFinished(() => ended.resolve())
  await queue('running@example.com')
  await expect.poll(() => sent.emails).toEqual(['running@example.com'])
  await lockFor('running@example.com', 60)
  await app.db.raw(
    `select enqueue('send_password_reset', array[json_build_object('tenant_id', ?::text, 'email',
       'lost@example.com', 'requested_at', now())], array[null]::text[], now() + interval '1 hour')`,
    [newId()],
  )
  await lockFor('lost@example.com', 60)
  await expect.poll(() => sent.emails).toEqual(['running@example.com', 'lost@example.com'])
  ended.resolve()
  await expect.poll(async () => (await app.db('graphile_worker._private_jobs')).length).toBe(0)
  expect(sent.emails).toHaveLength(2)
})
