// Tests the order in which emails are sent while one tenant has many queued emails.

import { expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../../../test/support/app.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { startWorker } from '../../jobs/worker.ts'
import { newId } from '../../values/id.ts'
import { enqueueLoginAttack } from '../log-in/login-attack.sql.ts'
import { requestPasswordReset } from './request-password-reset.ts'

const MAILS = 400
/**
 * If one tenant has queued many emails, at most this many are sent before another tenant's later email: 8 that
 * are already being sent, 8 prefetched, and 8 with the same priority as the later email.
 */
const SENT_BEFORE = 24

const sent: string[] = []
const { app, databaseUrl } = await testApp({
  worker: false,
  overrides: { sendMail: async ({ to }) => void sent.push(to) },
})

async function usersOf(tenantId: string, count: number): Promise<string[]> {
  const emails = Array.from({ length: count }, () => `${newId()}@example.com`)
  await app.db.raw(
    `insert into users (id, tenant_id, email, password_hash)
     select gen_random_uuid(), ?, email, '' from unnest(?::text[]) as email`,
    [tenantId, emails],
  )
  return emails
}

test("at most 24 of one tenant's 400 queued emails are sent before another tenant's email", async () => {
  const [crowding, single] = [await makeTenant(app.db), await makeTenant(app.db)]
  const emails = await usersOf(crowding, MAILS)
  const [other] = (await usersOf(single, 1)) as [string]
  for (let n = 0; n < MAILS; n++)
    await app.db.transaction(tx =>
      enqueueLoginAttack(tx, { address: `${n}`, account: Buffer.from(`${n}`), at: app.clock() }),
    )
  for (const email of emails) await requestPasswordReset(app, { tenantId: crowding, email })
  await requestPasswordReset(app, { tenantId: single, email: other })
  const { rows } = await app.db.raw(
    `select identifier from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
     order by priority desc, run_at limit 1`,
  )
  expect(rows).toEqual([{ identifier: 'note_login_attack' }])
  const worker = await startWorker(app, databaseUrl, { alone: false, only: ['mails'] })
  onTestFinished(worker.stop)
  await vi.waitUntil(() => sent.length >= MAILS + 1, { timeout: 120_000, interval: 50 })
  expect(sent.indexOf(other)).toBeLessThanOrEqual(SENT_BEFORE)
  expect(sent.toSorted()).toEqual([...emails, other].sort())
})
