// Tests that one event that cannot be read from the database does not affect the delivery of other events.

import { expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { fakeServer } from '../../../test/support/fake-server.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { unreadableBecause } from '../../../test/support/unreadable-events.ts'
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
    await webhooks.deliver(leases)
    await webhooks.stop()
    await agent.destroy()
    expect(receiver.received.map(({ headers }) => headers['webhook-id']).sort()).toEqual([first, last].sort())
    expect(log.warn).toHaveBeenCalledTimes(1)
    expect(JSON.stringify(vi.mocked(log.warn).mock.calls)).toContain(unreadable)
    const { rows } = await db.raw('select event_id, status from webhook_queue where event_id = any(?)', [
      [first, unreadable, last],
    ])
    expect(rows).toEqual([{ event_id: unreadable, status: 'pending' }])
  },
)
