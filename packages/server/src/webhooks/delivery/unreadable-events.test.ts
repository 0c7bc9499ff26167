// Tests that one event that cannot be read from the database does not affect the delivery of other events.

import { expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { fakeServer } from '../../../test/support/fake-server.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { until } from '../../../test/support/merchant.ts'
import { damagePage, unreadableBecause } from '../../../test/support/unreadable-events.ts'
import { insertLeased, paidEvent } from '../../../test/support/webhook-listener.ts'
import { createLog } from '../../logging/log.ts'
import { webhookDelivery } from './deliver-webhooks.ts'
import { newWebhookSecret } from './sign.ts'
import { webhookAgent } from './webhook-agent.ts'

const { db, url } = await testDatabase()
const receiver = await fakeServer()
const secret = newWebhookSecret()

test.each(unreadableBecause)(
  'if a webhook event cannot be read because $reason, the other events in its batch are delivered',
  async ({ makeUnreadable }) => {
    receiver.answers(response => response.end())
    const log = createLog('silent')
    vi.spyOn(log, 'warn')
    const agent = webhookAgent(true)
    const webhooks = webhookDelivery({
      ...{ db, clock: () => new Date(), log, webhookAgent: agent },
      endpointOf: async () => ({ callbackUrl: receiver.url, secret, previous: [] }),
    })
    const tenants = await Promise.all([1, 2, 3].map(() => makeTenant(db, { callbackUrl: receiver.url })))
    const events = tenants.map(tenantId => paidEvent(tenantId))
    const [first, unreadable, last] = events.map(({ id }) => id) as [string, string, string]
    const leases = await insertLeased(db, events)
    await makeUnreadable(url, unreadable)
    const sent = receiver.received.length
    await webhooks.deliver(leases)
    await until('the two readable events are delivered', () => receiver.received.length === sent + 2)
    await webhooks.stop()
    await agent.destroy()
    expect(
      receiver.received
        .slice(sent)
        .map(({ headers }) => headers['webhook-id'])
        .sort(),
    ).toEqual([first, last].sort())
    expect(log.warn).toHaveBeenCalledTimes(1)
    expect(JSON.stringify(vi.mocked(log.warn).mock.calls)).toContain(unreadable)
    const { rows } = await db.raw('select event_id, status from webhook_queue where event_id = any(?)', [
      [first, unreadable, last],
    ])
    expect(rows).toEqual([{ event_id: unreadable, status: 'pending' }])
  },
)

test('a stopping process does not load the remaining events of a batch that could not be read', async () => {
  receiver.answers(response => response.end())
  const agent = webhookAgent(true)
  let stopped: Promise<void> | undefined
  const webhooks = webhookDelivery({
    ...{ db, clock: () => new Date(), log: createLog('silent'), webhookAgent: agent },
    endpointOf: async () => {
      stopped ??= webhooks.stop()
      return { callbackUrl: receiver.url, secret, previous: [] }
    },
  })
  const tenants = await Promise.all([1, 2, 3].map(() => makeTenant(db, { callbackUrl: receiver.url })))
  const events = tenants.map(tenantId => paidEvent(tenantId))
  const [first, unreadable, last] = events.map(({ id }) => id) as [string, string, string]
  const leases = await insertLeased(db, events)
  await damagePage(url, unreadable)
  const sent = receiver.received.length
  await webhooks.deliver(leases)
  await until('the process is stopping', () => stopped !== undefined)
  await stopped
  await agent.destroy()
  expect(receiver.received.slice(sent).map(({ headers }) => headers['webhook-id'])).toEqual([first])
  const { rows } = await db.raw(
    "select event_id from webhook_queue where event_id = any(?) and status = 'pending'",
    [[unreadable, last]],
  )
  expect(rows).toHaveLength(2)
})
