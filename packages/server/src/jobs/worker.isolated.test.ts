import { expect, test, vi } from 'vitest'
import { testApp } from '../../test/support/app.ts'
import { atEnd } from '../../test/support/at-end.ts'
import { databaseProxy } from '../../test/support/database-proxy.ts'
import { newId } from '../id.ts'
import { startWorker } from './worker.ts'

const sent = vi.hoisted(() => ({ emails: [] as string[], during: undefined as (() => void) | undefined }))
vi.mock('../auth/send-password-reset.ts', () => ({
  sendPasswordReset: async (_: unknown, { email }: { email: string }) => {
    sent.emails.push(email)
    sent.during?.()
  },
}))

const { app, databaseUrl } = await testApp({ worker: false })

const queue = (email: string) =>
  app.db.raw(
    `select enqueue('send_password_reset', array[json_build_object(
       'tenant_id', ?::text, 'email', ?::text, 'requested_at', now())], array[null]::text[])`,
    [newId(), email],
  )

test('a worker that lost the database in the middle of a job goes on when it is back, with that job and with others', async () => {
  const proxy = await databaseProxy(databaseUrl)
  const worker = await startWorker(app, proxy.url, { alone: false, only: ['mails'] })
  atEnd(worker.stop)
  sent.during = proxy.cut
  await queue('first@example.com')
  await expect.poll(() => sent.emails, { timeout: 10_000 }).toEqual(['first@example.com'])
  // What it did cannot be told to the queue, so it ends.
  await expect.poll(worker.isRunning, { timeout: 60_000 }).toBe(false)
  sent.during = undefined
  proxy.mend()
  await expect.poll(worker.isRunning, { timeout: 20_000 }).toBe(true)
  await queue('second@example.com')
  await expect
    .poll(() => new Set(sent.emails), { timeout: 20_000 })
    .toEqual(new Set(['first@example.com', 'second@example.com']))
  expect(sent.emails.filter(email => email.startsWith('first')).length).toBeGreaterThan(1)
}, 120_000)
