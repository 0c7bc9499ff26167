import { beforeEach, expect, test } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { tamper } from '../../../test/support/ledger.ts'
import { makeTenant, now } from '../../../test/support/make.ts'
import { paidEvent } from '../../../test/support/webhook-listener.ts'
import { newId } from '../../values/id.ts'
import { setCallbackUrl } from '../endpoint/endpoint.sql.ts'
import { insertEvents } from '../event.sql.ts'
import { redeliverEvent } from './redeliver-event.ts'

const { db, url } = await testDatabase()
const app = { db, clock: () => now }

let actor: { tenantId: string; userId: string }
beforeEach(async () => {
  const tenantId = await makeTenant(db, { callbackUrl: 'https://shop.example.com/hooks' })
  actor = { tenantId, userId: newId() }
})

/** Creates a permanently failed webhook event and returns its id. */
async function failedEvent(tenantId = actor.tenantId): Promise<string> {
  const event = paidEvent(tenantId)
  await db.transaction(tx => insertEvents(tx, [event]))
  await db.raw(
    "update webhook_queue set status = 'permanently_failed', attempts_left = 0, next_attempt_at = null where event_id = ?",
    [event.id],
  )
  return event.id
}
const redeliver = (id: string) => redeliverEvent(app, actor, id)
const queued = async (id: string) =>
  (await db.raw('select status, attempts_left, next_attempt_at from webhook_queue where event_id = ?', [id]))
    .rows[0]
const audited = async (id: string) =>
  (
    await db.raw(
      'select tenant_id, actor_user_id, action, before, after from audit_log where subject_id = ?',
      [id],
    )
  ).rows

test('redelivering a failed webhook event schedules one more attempt and names the user in the audit log', async () => {
  const id = await failedEvent()
  expect(await redeliver(id)).toMatchObject({ id, status: 'pending', nextAttemptAt: now })
  expect(await queued(id)).toEqual({ status: 'pending', attempts_left: 1, next_attempt_at: now })
  expect(await audited(id)).toEqual([
    {
      ...{ tenant_id: actor.tenantId, actor_user_id: actor.userId, action: 'webhook.redeliver' },
      ...{ before: { status: 'permanently_failed' }, after: { status: 'pending' } },
    },
  ])
})

test('redelivering a webhook event is rejected as a conflict if the event is still being delivered', async () => {
  const id = await failedEvent()
  await redeliver(id)
  await expect(redeliver(id)).rejects.toMatchObject({
    code: 'CONFLICT',
    message: expect.stringContaining(`event ${id} is still being delivered`),
  })
  expect(await audited(id)).toHaveLength(1)
})

test('redelivering a webhook event fails if the tenant has no callback URL, and the error states this reason', async () => {
  const id = await failedEvent()
  await setCallbackUrl(db, actor.tenantId, null)
  await expect(redeliver(id)).rejects.toMatchObject({
    message: expect.stringContaining('there is no callback URL'),
  })
  expect(await queued(id)).toMatchObject({ status: 'permanently_failed' })
})

test("redelivering a webhook event is rejected if the tenant's callback URL was removed", async () => {
  const id = await failedEvent()
  await tamper(url, ['delete from webhook_endpoints where tenant_id = $1', [actor.tenantId]])
  await expect(redeliver(id)).rejects.toMatchObject({
    message: expect.stringContaining('there is no callback URL'),
  })
})

test("a tenant cannot redeliver another tenant's webhook event", async () => {
  const theirs = await failedEvent(await makeTenant(db, { callbackUrl: 'https://other.example.com/hooks' }))
  for (const id of ['none', newId(), theirs])
    await expect(redeliver(id)).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: expect.stringContaining(`webhook event ${id} not found`),
    })
  expect(await queued(theirs)).toMatchObject({ status: 'permanently_failed' })
})
