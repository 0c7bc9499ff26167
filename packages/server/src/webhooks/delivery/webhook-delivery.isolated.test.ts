// Tests how one process delivers the webhook events that it has leased. The tests use no job queue.

import { randomBytes } from 'node:crypto'
import { beforeAll, expect, test, vi } from 'vitest'
import { atEnd } from '../../../test/support/at-end.ts'
import { testDatabase } from '../../../test/support/database.ts'
import {
  insertLeased,
  listener,
  listening,
  paidEvent,
  statusesOf,
} from '../../../test/support/webhook-listener.ts'
import type { Db } from '../../db/db.ts'
import { createLog } from '../../logging/log.ts'
import { loadSecrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import { endpointLoader } from '../endpoint/load-endpoint.ts'
import type { WebhookEvent } from '../event.ts'
import { type WebhookDelivery, webhookDelivery } from './deliver-webhooks.ts'
import type { Lease } from './lease.ts'
import { webhookAgent } from './webhook-agent.ts'

/**
 * Shortens the timeout for webhook delivery attempts from 10 s to 3 s. Even on a busy machine, 3 s are enough to start
 * a hundred attempts before the first one times out.
 */
vi.mock('./lease.ts', async original => ({ ...(await original<object>()), ATTEMPT_TIMEOUT_MS: 3_000 }))

const masterKey = randomBytes(32)
let db: Db
let owner: Db
beforeAll(async () => {
  ;({ db, owner } = await testDatabase())
})

async function delivery(): Promise<WebhookDelivery> {
  const agent = webhookAgent(true)
  const webhooks = webhookDelivery({
    db,
    clock: () => new Date(),
    log: createLog('silent'),
    endpointOf: endpointLoader(db, await loadSecrets(db, { masterKey })),
    webhookAgent: agent,
  })
  atEnd(async () => {
    await agent.destroy()
    await webhooks.stop()
  })
  return webhooks
}

const leased = (events: WebhookEvent[]) => insertLeased(db, events)

const delivered = (tenantId: string, count: number) =>
  expect.poll(() => statusesOf(db, tenantId)).toEqual({ delivered: count })

test('an event with an expired and a valid lease in one job is sent only once', async () => {
  const webhooks = await delivery()
  const shop = await listener({ db, masterKey })
  const [mine] = (await leased([paidEvent(shop.tenantId)])) as [Lease]
  await webhooks.deliver([{ ...mine, expiresAt: after(mine.expiresAt, -60_000) }, mine])
  await delivered(shop.tenantId, 1)
  // `stop` returns only after all webhook delivery work has ended. No further webhook event can therefore be sent after
  // the check below.
  await webhooks.stop()
  expect(shop.hits).toHaveLength(1)
})

test('an event that waits for its predecessor does not delay other events in the batch', async () => {
  const webhooks = await delivery()
  const [shop, other] = [await listener({ db, masterKey }), await listener({ db, masterKey })]
  const payment = newId()
  const events = [
    paidEvent(shop.tenantId, { payment, number: 2 }),
    paidEvent(shop.tenantId, { payment, number: 3 }),
    paidEvent(other.tenantId),
  ]
  const [first, second, others] = (await leased(events)) as [Lease, Lease, Lease]
  await db.transaction(async tx => {
    await tx.raw('select from webhook_queue where event_id = ? for update', [first.eventId])
    await webhooks.deliver([second, others])
    await delivered(other.tenantId, 1)
    expect(shop.hits).toEqual([])
  })
  await webhooks.deliver([first])
  await delivered(shop.tenantId, 2)
  expect(shop.hits.map(({ body }) => body.number)).toEqual([2, 3])
})

test("a tenant's webhook delivery attempts never wait for connections that other tenants use to the same host", async () => {
  const webhooks = await delivery()
  const unanswered: string[] = []
  const host = await listener({ db, masterKey }, (response, { id }) => {
    if (unanswered.includes(id)) return
    response.end()
  })
  const slow = await Promise.all([...Array(6)].map(() => listening({ db, masterKey }, host.url)))
  const events = slow.flatMap(tenantId => [...Array(16)].map(() => paidEvent(tenantId)))
  unanswered.push(...events.map(({ id }) => id))
  await webhooks.deliver(await leased(events))
  await expect.poll(() => host.hits.length).toBe(96)
  await webhooks.deliver(await leased([paidEvent(host.tenantId)]))
  await delivered(host.tenantId, 1)
  expect(host.mostUnderWay()).toBe(97)
})

test('a receiver whose responses never end counts as unresponsive and has at most two webhook attempts in flight', async () => {
  const webhooks = await delivery()
  const inFlight = new Set<object>()
  const beside: number[] = []
  const shop = await listener({ db, masterKey }, response => {
    inFlight.add(response)
    response.on('close', () => inFlight.delete(response))
    beside.push(inFlight.size)
    response.write('ok')
  })
  await webhooks.deliver(await leased([...Array(18)].map(() => paidEvent(shop.tenantId))))
  await expect.poll(() => beside.length).toBe(18)
  expect(Math.max(...beside.slice(0, 16))).toBe(16)
  expect(Math.max(...beside.slice(16))).toBe(2)
})

test('if one webhook attempt in a batch cannot be recorded, each of the others is recorded once', async () => {
  const webhooks = await delivery()
  const answers: (() => void)[] = []
  const shop = await listener({ db, masterKey }, response => answers.push(() => response.end()))
  const [settled, ...others] = (await leased([...Array(10)].map(() => paidEvent(shop.tenantId)))) as [
    Lease,
    ...Lease[],
  ]
  await webhooks.deliver([settled, ...others])
  await expect.poll(() => answers.length).toBe(10)
  await db.raw('delete from webhook_queue where event_id = ?', [settled.eventId])
  await owner.raw(`
    create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$;
    create trigger refuses before insert on webhook_attempts for each row
      when (new.event_id = '${settled.eventId}') execute function refuse()`)
  for (const answer of answers) answer()
  await webhooks.stop()
  const { rows } = await db.raw(
    'select event_id as "eventId", count(*)::integer as count from webhook_attempts where tenant_id = ? group by 1',
    [shop.tenantId],
  )
  expect(new Map(rows.map((row: { eventId: string; count: number }) => [row.eventId, row.count]))).toEqual(
    new Map(others.map(({ eventId }) => [eventId, 1])),
  )
})

test('a stopping process waits for its webhook attempts in flight, releases its other events, and accepts no more events', async () => {
  const webhooks = await delivery()
  const answers: (() => void)[] = []
  const shop = await listener({ db, masterKey }, response => answers.push(() => response.end()))
  const events = await leased([...Array(40)].map(() => paidEvent(shop.tenantId)))
  await webhooks.deliver(events)
  await expect.poll(() => answers.length).toBe(16)
  const stopped = webhooks.stop()
  await expect(webhooks.deliver(await leased([paidEvent(shop.tenantId)]))).rejects.toThrow('stopping')
  // Webhook events that the process did not attempt to deliver are due immediately, so that another process can
  // send them.
  const due = async () => {
    const { rows } = await db.raw(
      'select count(*)::integer as count from webhook_queue where event_id = any(?) and next_attempt_at <= now()',
      [events.map(({ eventId }) => eventId)],
    )
    return rows[0].count
  }
  await expect.poll(due).toBe(24)
  for (const answer of answers) answer()
  await stopped
  expect(await statusesOf(db, shop.tenantId)).toEqual({ delivered: 16, pending: 25 })
  expect(shop.hits).toHaveLength(16)
})
