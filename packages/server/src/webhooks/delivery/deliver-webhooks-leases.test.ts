// Tests how webhook delivery uses leases on events (lease.ts), and that delivery slots are freed.

import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { fakeServer } from '../../../test/support/fake-server.ts'
import { tamper } from '../../../test/support/ledger.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { type Sent, sentWhile } from '../../../test/support/sent-statements.ts'
import { insertLeased, paidEvent } from '../../../test/support/webhook-listener.ts'
import { createLog } from '../../logging/log.ts'
import { newId } from '../../values/id.ts'
import { after } from '../../values/time.ts'
import type { LoadedEndpoint } from '../endpoint/load-endpoint.ts'
import type { WebhookEvent } from '../event.ts'
import { type WebhookDelivery, webhookDelivery } from './deliver-webhooks.ts'
import type { Lease } from './lease.ts'
import { newWebhookSecret } from './sign.ts'
import { SLOTS } from './tenant-queues.ts'
import { webhookAgent } from './webhook-agent.ts'
import { webhookMetrics } from './webhook-metrics.ts'

const { db, url: databaseUrl } = await testDatabase()
const receiver = await fakeServer()
const secret = newWebhookSecret()

let clock: () => Date
let log: ReturnType<typeof createLog>
let endpointOf: (tenantId: string) => Promise<LoadedEndpoint | undefined>
let tenantId: string
beforeEach(async () => {
  clock = () => new Date()
  log = createLog('silent')
  vi.spyOn(log, 'warn')
  endpointOf = async () => ({ callbackUrl: receiver.url, secret, previous: [] })
  receiver.answers(response => response.end())
  tenantId = await makeTenant(db, { callbackUrl: receiver.url })
})

/** Starts webhook delivery and calls `run`. Returns when all work that the delivery started has ended. */
async function whileDelivering(run: (webhooks: WebhookDelivery) => Promise<unknown>): Promise<void> {
  const agent = webhookAgent(true)
  const webhooks = webhookDelivery({
    ...{ db, clock: () => clock(), log, webhookAgent: agent },
    endpointOf: id => endpointOf(id),
  })
  await run(webhooks)
  await webhooks.stop()
  await agent.destroy()
}
const deliver = (leases: Lease[]) => whileDelivering(webhooks => webhooks.deliver(leases))
const leased = (...events: WebhookEvent[]) => insertLeased(db, events)
const idsReceived = () => receiver.received.map(({ headers }) => headers['webhook-id'])
const leasedUntil = async (id: string): Promise<Date | undefined> =>
  (await db.raw('select next_attempt_at as at from webhook_queue where event_id = ?', [id])).rows[0]?.at
/** Counts the leased webhook events whose next attempt time has come. */
const countDue = async (all: Lease[]): Promise<number> =>
  (
    await db.raw(
      'select count(*)::integer as count from webhook_queue where event_id = any(?) and next_attempt_at <= now()',
      [all.map(({ eventId }) => eventId)],
    )
  ).rows[0].count
const claimsIn = (sent: readonly Sent[]) => sent.filter(({ text }) => text.includes('skip locked'))
/** Locks the table `webhook_queue`, so that each query on the table waits until the returned transaction ends. */
async function lockQueue() {
  const tx = await db.transaction()
  await tx.raw('lock table webhook_queue in access exclusive mode')
  return tx
}
/** For each delivery attempt, records when the webhook event's lease expires. */
function noteExpiries(): Map<string, Date | undefined> {
  const expiries = new Map<string, Date | undefined>()
  receiver.answers(async (response, { headers }) => {
    const id = String(headers['webhook-id'])
    expiries.set(id, await leasedUntil(id))
    response.end()
  })
  return expiries
}
/**
 * Returns two successive webhook events for a payment, and `mine`, the lease on the second event. The first event is
 * leased by another process.
 */
async function leasedBehind(): Promise<[first: WebhookEvent, second: WebhookEvent, mine: Lease]> {
  const payment = newId()
  const [first, second] = [2, 3].map(number => paidEvent(tenantId, { payment, number })) as [
    WebhookEvent,
    WebhookEvent,
  ]
  const [, mine] = (await leased(first, second)) as [Lease, Lease]
  return [first, second, mine]
}
/** Resolves as soon as a statement in the database is waiting for a lock. */
const blocked = () =>
  expect
    .poll(
      async () =>
        (
          await db.raw(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rows.length,
    )
    .toBe(1)

test('a webhook event is sent under its current lease if the lease outlasts a delivery attempt', async () => {
  const expiries = noteExpiries()
  const event = paidEvent(tenantId)
  const [mine] = (await leased(event)) as [Lease]
  await deliver([mine])
  expect(expiries).toEqual(new Map([[event.id, mine.expiresAt]]))
})

test('an event whose lease may expire during the attempt gets a new lease before it is sent', async () => {
  const expiries = noteExpiries()
  const [fresh, aged] = [paidEvent(tenantId), paidEvent(tenantId, { at: after(new Date(), -20_000) })]
  const [lasting, lapsing] = [await leased(fresh), (await leased(aged)) as [Lease]]
  await whileDelivering(async webhooks => {
    await webhooks.deliver([...lasting, ...lapsing])
    await expect.poll(() => expiries.size).toBe(2)
  })
  expect(receiver.received).toHaveLength(2)
  expect(expiries.get(aged.id)?.getTime()).toBeGreaterThan(lapsing[0].expiresAt.getTime())
})

test('an event that takes so long to load that its lease could expire gets a new lease', async () => {
  const expiries = noteExpiries()
  const event = paidEvent(tenantId)
  const [mine] = (await leased(event)) as [Lease]
  let passedMs = 0
  clock = () => after(new Date(), passedMs)
  const working = endpointOf
  endpointOf = id => {
    passedMs = 20_000
    return working(id)
  }
  await whileDelivering(async webhooks => {
    await webhooks.deliver([mine])
    await expect.poll(() => expiries.size).toBe(1)
  })
  expect(idsReceived()).toEqual([event.id])
  expect(expiries.get(event.id)?.getTime()).toBeGreaterThan(mine.expiresAt.getTime())
})

test('a webhook event leased by another process is skipped, and the other events in the batch are sent', async () => {
  const [theirs, fine] = [paidEvent(tenantId), paidEvent(tenantId)]
  const [lost, mine] = (await leased(theirs, fine)) as [Lease, Lease]
  const asked: string[] = []
  const working = endpointOf
  endpointOf = id => {
    asked.push(id)
    return working(id)
  }
  await deliver([{ ...lost, expiresAt: after(lost.expiresAt, -1) }, mine])
  expect(idsReceived()).toEqual([fine.id])
  expect(asked).toEqual([tenantId])
  expect(log.warn).not.toHaveBeenCalled()
})

test("a webhook event waits for its payment's previous event, but a stopping process waits for neither event", async () => {
  const [first, , mine] = await leasedBehind()
  await deliver([mine])
  expect(receiver.received).toEqual([])
  const { rows } = await db.raw('select follower_id from webhook_queue where event_id = ?', [first.id])
  expect(rows).toEqual([{ follower_id: mine.eventId }])
})

test('an event stored as waiting just after its predecessor was finished is sent at once', async () => {
  const [first, second, mine] = await leasedBehind()
  await whileDelivering(async webhooks => {
    const tx = await db.transaction()
    await tx.raw('select from webhook_queue where event_id = ? for update', [first.id])
    await webhooks.deliver([mine])
    await blocked()
    await tx.raw('delete from webhook_queue where event_id = ?', [first.id])
    await tx.commit()
    await expect.poll(idsReceived).toEqual([second.id])
  })
  expect(log.warn).not.toHaveBeenCalled()
})

test("an event's delivery slot is freed even if storing the wait for an earlier event fails", async () => {
  const [first, , mine] = await leasedBehind()
  await whileDelivering(async webhooks => {
    const tx = await db.transaction()
    await tx.raw('select from webhook_queue where event_id = ? for update', [first.id])
    await webhooks.deliver([mine])
    await blocked()
    await tamper(databaseUrl, [
      `select pg_terminate_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`,
      [],
    ])
    await expect.poll(() => vi.mocked(log.warn).mock.calls).toHaveLength(1)
    await tx.rollback()
  })
  expect(log.warn).toHaveBeenCalledExactlyOnceWith(
    { err: expect.any(Error), tenantId, eventId: mine.eventId },
    'webhook event could not be queued behind the previous event of its payment',
  )
  expect(receiver.received).toEqual([])
  expect(await leasedUntil(mine.eventId)).toEqual(mine.expiresAt)
})

test('if another process has already finished a webhook event, this process frees the delivery slot of the event', async () => {
  const tenants = [tenantId, await makeTenant(db, { callbackUrl: receiver.url })]
  const mine = await leased(...tenants.map(id => paidEvent(id)))
  // Each tenant gets as many finished webhook events as it has slots, and then an unfinished one. The unfinished event
  // is sent only if the finished ones free their slots.
  const settled = Array.from({ length: SLOTS / 2 }, () => newId())
  const all = mine.flatMap(last => [...settled.map(eventId => ({ ...last, eventId })), last])
  await whileDelivering(async webhooks => {
    await webhooks.deliver(all)
    await expect.poll(() => receiver.received.length).toBe(2)
  })
  expect(new Set(idsReceived())).toEqual(new Set(mine.map(({ eventId }) => eventId)))
})

test('while an unresponsive receiver has attempts in flight, its other events are returned to the queue', async () => {
  receiver.answers(response => response.destroy())
  const sent = await sentWhile(sent =>
    whileDelivering(async webhooks => {
      const first = paidEvent(tenantId)
      await webhooks.deliver(await leased(first))
      const failed = async () =>
        (await db.raw('select from webhook_attempts where event_id = ?', [first.id])).rows
      await expect.poll(failed).toHaveLength(1)
      const answers: (() => void)[] = []
      receiver.answers(response => void answers.push(() => response.end()))
      const all = await leased(...Array.from({ length: 5 }, () => paidEvent(tenantId)))
      await webhooks.deliver(all)
      await expect.poll(() => answers.length).toBe(2)
      expect(await countDue(all)).toBe(3)
      expect(claimsIn(sent)).toEqual([])
      receiver.answers(response => response.end())
      for (const answer of answers) answer()
      await expect.poll(() => new Set(idsReceived()).size).toBe(6)
    }),
  )
  expect(claimsIn(sent)).not.toEqual([])
})

test('a stopping process immediately releases the due webhook events that it has just read', async () => {
  const all = await leased(paidEvent(tenantId), paidEvent(tenantId))
  await db.raw("update webhook_queue set next_attempt_at = now() - interval '1 second' where tenant_id = ?", [
    tenantId,
  ])
  await sentWhile(sent =>
    whileDelivering(async webhooks => {
      const tx = await lockQueue()
      webhooks.claimDue([tenantId])
      await expect.poll(() => claimsIn(sent)).toHaveLength(1)
      const stopped = webhooks.stop()
      await tx.commit()
      await stopped
      expect(await countDue(all)).toBe(2)
    }),
  )
  expect(receiver.received).toEqual([])
})

test('after all due events were found, the webhook queue is read again only on the next `claimDue` call', async () => {
  const other = await makeTenant(db, { callbackUrl: receiver.url })
  const sent = await sentWhile(() =>
    whileDelivering(async webhooks => {
      webhooks.claimDue([tenantId])
      await webhooks.deliver(await leased(paidEvent(other)))
      await expect.poll(idsReceived).toHaveLength(1)
    }),
  )
  expect(claimsIn(sent)).toHaveLength(1)
})

test('a `claimDue` call during a read of the webhook queue causes one more read', async () => {
  const sent = await sentWhile(sent =>
    whileDelivering(async webhooks => {
      const tx = await lockQueue()
      webhooks.claimDue([tenantId])
      await expect.poll(() => claimsIn(sent)).toHaveLength(1)
      webhooks.claimDue([tenantId])
      await tx.commit()
      await expect.poll(() => claimsIn(sent)).toHaveLength(2)
    }),
  )
  expect(claimsIn(sent)).toHaveLength(2)
})

test('delivering a webhook event takes two SQL statements: one to load the event and one to record the attempt', async () => {
  const mine = await leased(paidEvent(tenantId))
  const sent = await sentWhile(() => deliver(mine))
  expect(idsReceived()).toHaveLength(1)
  expect(sent.filter(({ text }) => text.includes('webhook_'))).toHaveLength(2)
})

test('after webhook delivery has stopped, none of its timers keeps the process running', async () => {
  const timers = () => process.getActiveResourcesInfo().filter(each => each === 'Timeout').length
  const before = timers()
  // The code between the two timer counts does not wait for I/O, so no other timer can start or end in
  // between.
  await whileDelivering(async () => {})
  expect(timers()).toBe(before)
})

test('every webhook delivery attempt is counted in the metrics by its result', async () => {
  const counted = async () =>
    (await webhookMetrics.attempts.get()).values.reduce((sum, { value }) => sum + value, 0)
  const before = await counted()
  await deliver(await leased(paidEvent(tenantId), paidEvent(tenantId)))
  expect(await counted()).toBe(before + 2)
})

test("a process's webhook delivery loop ends when there are no more events to send", async () => {
  await whileDelivering(async webhooks => {
    await webhooks.deliver(await leased(paidEvent(tenantId)))
    await expect.poll(idsReceived).toHaveLength(1)
  })
  const isSpinning = async () => {
    await pause(1)
    return process.getActiveResourcesInfo().includes('Immediate')
  }
  await expect.poll(isSpinning).toBe(false)
})
