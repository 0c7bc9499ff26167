// Tests how processes deliver waiting webhook events to additional endpoints, including error cases.

import type { ServerResponse } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { beforeEach, expect, test, vi } from 'vitest'
import { testDatabase } from '../../../test/support/database.ts'
import { fakeServer } from '../../../test/support/fake-server.ts'
import { tamper } from '../../../test/support/ledger.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { until } from '../../../test/support/merchant.ts'
import { unreadableBecause } from '../../../test/support/unreadable-events.ts'
import { paidEvent } from '../../../test/support/webhook-listener.ts'
import { createLog } from '../../logging/log.ts'
import { loadSecrets } from '../../secrets/secrets.ts'
import { newId } from '../../values/id.ts'
import { newWebhookSecret } from '../delivery/sign.ts'
import { webhookAgent } from '../delivery/webhook-agent.ts'
import { webhookMetrics } from '../delivery/webhook-metrics.ts'
import { insertEvents } from '../event.sql.ts'
import type { WebhookEvent } from '../event.ts'
import { insertAdditionalEndpoint } from './additional-endpoint.sql.ts'
import { additionalSecretContext } from './additional-endpoint-secrets.ts'
import { listOverdueEndpoints } from './claim-deliveries.sql.ts'
import { type EndpointDelivery, endpointDelivery } from './deliver-to-endpoints.ts'

const { db, url: databaseUrl } = await testDatabase()
const secrets = await loadSecrets(db, { masterKey: Buffer.alloc(32, 1) })
const receiver = await fakeServer()

let log: ReturnType<typeof createLog>
let tenantId: string
beforeEach(async () => {
  log = createLog('silent')
  vi.spyOn(log, 'warn')
  receiver.answers(response => response.end('thanks'))
  tenantId = await makeTenant(db)
})

async function endpoint(
  path: string,
  enabled = true,
  id = newId(),
): Promise<{ tenantId: string; endpointId: string }> {
  const secretSealed = await secrets.encrypt(newWebhookSecret(), additionalSecretContext(id))
  await db.transaction(tx =>
    insertAdditionalEndpoint(tx, tenantId, {
      ...{ id, mode: 'test', url: receiver.url + path, description: '', eventTypes: [], schedule: 'short' },
      ...{ enabled, secretSealed, createdAt: new Date() },
    }),
  )
  return { tenantId, endpointId: id }
}

async function insert(count: number): Promise<WebhookEvent[]> {
  const events = Array.from({ length: count }, () => paidEvent(tenantId))
  await db.transaction(tx => insertEvents(tx, events))
  return events
}

/**
 * Runs `run` with `count` simulated processes. Returns when all webhook deliveries that they started have finished.
 */
async function whileDelivering(
  run: (...processes: EndpointDelivery[]) => Promise<unknown>,
  count = 1,
): Promise<void> {
  const agent = webhookAgent(true)
  const processes = Array.from({ length: count }, () =>
    endpointDelivery({ db, clock: () => new Date(), log, secrets, webhookAgent: agent }),
  )
  await run(...processes)
  await Promise.all(processes.map(each => each.stop()))
  await agent.destroy()
}

const countOf = async (status: string): Promise<number> => {
  const { rows } = await db.raw(
    'select count(*)::integer as count from additional_deliveries where tenant_id = ? and status = ?',
    [tenantId, status],
  )
  return rows[0].count
}
const idsReceived = () => receiver.received.map(({ headers }) => headers['webhook-id']).sort()

test('if several processes fetch webhook deliveries at the same time, each delivery is sent once', async () => {
  const one = await endpoint('/one')
  const events = await insert(300)
  await whileDelivering(async (...processes) => {
    for (const each of processes) each.claimDue([one])
    await until('all webhooks are delivered', async () => (await countOf('delivered')) === 300)
  }, 3)
  expect(idsReceived()).toEqual(events.map(({ id }) => id).sort())
})

test('an unresponsive receiver gets only a few concurrent webhook deliveries and does not delay another endpoint', async () => {
  receiver.answers((response, { url }) => {
    if (url === '/working') response.end()
  })
  const [hanging, working] = [await endpoint('/hanging'), await endpoint('/working')]
  await insert(200)
  await whileDelivering(async process => {
    process.claimDue([hanging, working])
    await until('all webhooks are delivered', async () => (await countOf('delivered')) === 200)
    expect(receiver.received.filter(({ url }) => url === '/hanging')).toHaveLength(16)
  })
  expect(await countOf('pending')).toBe(200)
})

test('a webhook delivery attempt fails if the receiver responds with a redirect, which is not followed', async () => {
  receiver.answers(response => response.writeHead(302, { location: `${receiver.url}/elsewhere` }).end())
  const one = await endpoint('/one')
  await insert(1)
  await whileDelivering(async process => {
    process.claimDue([one])
    await until('the receiver has a request', () => receiver.received.length > 0)
  })
  expect(await countOf('pending')).toBe(1)
  expect(receiver.received.map(({ url }) => url)).toEqual(['/one'])
})

test('at most two webhook deliveries are in flight to an unresponsive receiver', async () => {
  let inFlight = 0
  const counts: number[] = []
  receiver.answers(response => {
    inFlight += 1
    counts.push(inFlight)
    // Closes the connection without a response after 30 ms. In this time, any delivery above the limit would
    // arrive and be counted.
    setTimeout(() => {
      inFlight -= 1
      response.destroy()
    }, 30)
  })
  const one = await endpoint('/one')
  await insert(60)
  await whileDelivering(async process => {
    process.claimDue([one])
    await until('every delivery has an attempt', () => counts.length >= 60)
  })
  expect(Math.max(...counts.slice(16))).toBeLessThanOrEqual(2)
})

test('after a webhook endpoint is deleted, the process no longer treats the endpoint as unresponsive', async () => {
  receiver.answers(response => response.destroy())
  const one = await endpoint('/one')
  await insert(1)
  await whileDelivering(async process => {
    process.claimDue([one])
    await until('the attempt is recorded', async () => {
      const { rows } = await db.raw('select from additional_attempts where tenant_id = ?', [tenantId])
      return rows.length === 1
    })
    // The attempt is visible in the database before the process receives PostgreSQL's response and notes the failure.
    // The pause gives the process time for both.
    await pause(250)
    await db.raw('delete from additional_endpoints where id = ?', [one.endpointId])
    await db.raw('update additional_deliveries set next_attempt_at = now() where tenant_id = ?', [tenantId])
    process.claimDue([one])
    await until('the delivery is deleted', async () => (await countOf('pending')) === 0)
    receiver.received.length = 0
    const unanswered: ServerResponse[] = []
    receiver.answers(response => unanswered.push(response))
    // A new endpoint gets the deleted endpoint's ID. If the process still treated this ID as unresponsive, it
    // would lease fewer deliveries at once than for a new endpoint.
    await endpoint('/one', true, one.endpointId)
    await insert(20)
    process.claimDue([one])
    await until('the receiver has a request', () => unanswered.length > 0)
    const { rows } = await db.raw(
      "select from additional_deliveries where tenant_id = ? and next_attempt_at > now() + interval '15 seconds'",
      [tenantId],
    )
    expect(rows).toHaveLength(16)
    receiver.answers(response => response.end())
    for (const response of unanswered) response.end()
  })
})

test('a webhook attempt that cannot be recorded does not prevent recording the others in its batch', async () => {
  const one = await endpoint('/one')
  const [refused] = (await insert(20)) as [WebhookEvent]
  await tamper(
    databaseUrl,
    [
      "create function refuse_attempt() returns trigger language plpgsql as $$ begin raise 'refused'; end $$",
      [],
    ],
    [
      `create trigger refuses_attempt before insert on additional_attempts for each row
         when (new.event_id = '${refused.id}') execute function refuse_attempt()`,
      [],
    ],
  )
  await whileDelivering(async process => {
    process.claimDue([one])
    await until('the other webhooks are delivered', async () => (await countOf('delivered')) === 19)
  })
  await tamper(databaseUrl, ['drop function refuse_attempt cascade', []])
  expect(log.warn).toHaveBeenCalledTimes(1)
  // Makes the lease on the webhook delivery expire, so that the delivery can be claimed again.
  await db.raw(
    'update additional_deliveries set next_attempt_at = now() where tenant_id = ? and event_id = ?',
    [tenantId, refused.id],
  )
  await whileDelivering(async process => {
    process.claimDue([one])
    await until('the last webhook is delivered', async () => (await countOf('delivered')) === 20)
  })
})

test.each(unreadableBecause)(
  'if a webhook event cannot be read because $reason, the deliveries to the other tenants’ endpoints are sent',
  async ({ makeUnreadable }) => {
    const affected = await endpoint('/affected')
    const [unreadable] = (await insert(1)) as [WebhookEvent]
    tenantId = await makeTenant(db)
    const other = await endpoint('/other')
    const [event] = (await insert(1)) as [WebhookEvent]
    await makeUnreadable(databaseUrl, unreadable.id)
    await whileDelivering(async process => {
      process.claimDue([affected, other])
      await until('the other webhook is delivered', async () => (await countOf('delivered')) === 1)
    })
    expect(idsReceived()).toEqual([event.id])
    expect(log.warn).toHaveBeenCalledTimes(1)
    expect(JSON.stringify(vi.mocked(log.warn).mock.calls)).toContain(affected.endpointId)
  },
)

test("a webhook attempt whose lease another process took changes the delivery's status only if it succeeds", async () => {
  const one = await endpoint('/one')
  await insert(1)
  const leaseOfAnother = new Date(Date.now() + 3_600_000)
  const set = (columns: string, at: Date) =>
    db.raw(`update additional_deliveries set ${columns}, next_attempt_at = ? where tenant_id = ?`, [
      at,
      tenantId,
    ])
  const leased = { status: 'pending', nextAttemptAt: leaseOfAnother }
  for (const { attempts, status, expected } of [
    { attempts: 0, status: 500, expected: leased },
    { attempts: 3, status: 500, expected: leased },
    { attempts: 4, status: 200, expected: { status: 'delivered', nextAttemptAt: null } },
  ]) {
    receiver.answers(response => {
      // Simulates another process leasing the webhook delivery before this process gets the receiver's response.
      void set('attempt_count = attempt_count', leaseOfAnother).then(() => response.writeHead(status).end())
    })
    await set(`attempt_count = ${attempts}`, new Date())
    await whileDelivering(async process => {
      process.claimDue([one])
      await until('the receiver has a request', () => receiver.received.length > 0)
    })
    receiver.received.length = 0
    const { rows } = await db.raw(
      'select status, next_attempt_at as "nextAttemptAt" from additional_deliveries where tenant_id = ?',
      [tenantId],
    )
    expect(rows).toEqual([expected])
  }
  const { rows } = await db.raw(
    'select number, response_status from additional_attempts where tenant_id = ? order by number',
    [tenantId],
  )
  expect(rows).toEqual([
    { number: 1, response_status: 500 },
    { number: 4, response_status: 500 },
    { number: 5, response_status: 200 },
  ])
})

const endedAttempts = async () =>
  (await webhookMetrics.attempts.get()).values.reduce((sum, { value }) => sum + value, 0)

test('if two attempts of one webhook delivery end at the same time, both are recorded', async () => {
  const one = await endpoint('/one')
  const unanswered = new Map<string, ServerResponse[]>()
  receiver.answers((response, { headers }) => {
    const eventId = String(headers['webhook-id'])
    unanswered.set(eventId, [...(unanswered.get(eventId) ?? []), response])
  })
  const [event, other] = (await insert(2)) as [WebhookEvent, WebhookEvent]
  const fail = ({ id }: WebhookEvent) => {
    for (const response of unanswered.get(id) ?? []) response.writeHead(500).end()
  }
  await whileDelivering(async process => {
    process.claimDue([one])
    await until('the receiver has both webhooks', () => unanswered.size === 2)
    // Makes the lease (the process's temporary right to deliver the event) expire during the attempt, so that
    // the delivery is attempted again.
    await db.raw('update additional_deliveries set next_attempt_at = now() where event_id = ?', [event.id])
    process.claimDue([one])
    await until('the receiver has one webhook twice', () => unanswered.get(event.id)?.length === 2)
    const ended = await endedAttempts()
    // Delays the batch that records the attempt for the webhook `other`, so that both attempts for the webhook `event`
    // wait for the next batch.
    await db.transaction(async tx => {
      await tx.raw('select from additional_deliveries where event_id = ? for update', [other.id])
      fail(other)
      await until('the other attempt has ended', async () => (await endedAttempts()) === ended + 1)
      fail(event)
      await until('both attempts have ended', async () => (await endedAttempts()) === ended + 3)
    })
  })
  const { rows } = await db.raw(
    'select number, response_status from additional_attempts where event_id = ? order by number',
    [event.id],
  )
  expect(rows).toEqual([
    { number: 1, response_status: 500 },
    { number: 2, response_status: 500 },
  ])
})

test('the periodic job finds the endpoints whose webhook deliveries are overdue, but no disabled endpoints', async () => {
  const [one, two] = [await endpoint('/one'), await endpoint('/two')]
  await insert(3)
  await db.raw('update additional_endpoints set enabled = false where id = ?', [two.endpointId])
  const found = (await listOverdueEndpoints(db, new Date(Date.now() + 60_000))).filter(
    each => each.tenantId === tenantId,
  )
  expect(found).toEqual([one])
  await whileDelivering(async process => {
    process.claimDue([one, two])
    await until('all webhooks are delivered', async () => (await countOf('delivered')) === 3)
  })
  expect(receiver.received.map(({ url }) => url)).toEqual(['/one', '/one', '/one'])
})

test('without an enabled additional endpoint, webhook events create no deliveries and no jobs for endpoints', async () => {
  await endpoint('/of-another-tenant')
  tenantId = await makeTenant(db)
  await endpoint('/disabled', false)
  await insert(1)
  const { rows } = await db.raw(
    `select (select count(*)::integer from additional_deliveries where tenant_id = :tenantId) as deliveries,
            (select count(*)::integer from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
             where t.identifier = 'deliver_to_endpoints' and j.payload::text like '%' || :tenantId || '%') as jobs`,
    { tenantId },
  )
  expect(rows).toEqual([{ deliveries: 0, jobs: 0 }])
})
