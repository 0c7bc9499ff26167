import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { http, logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'

let { app, demo, advance }: TestApp = {} as TestApp
let merchant: ReturnType<typeof merchantOf>
let auth: string

beforeAll(async () => {
  ;({ app, demo, advance } = await testApp())
  merchant = merchantOf(demo)
  auth = await logIn(demo, demo.client)
})

const deliveryOf = async (id: string) =>
  (await http('GET', `${demo.base_url}/v1/webhook-deliveries/${id}`, { auth })).data

async function paidPayment() {
  const { data } = await merchant.create()
  await simulate(demo, data, 'paid')
  return data
}

const RETRY_PAUSE_MS = 10_000
/** Advances the clock past the delay before a retry. The periodic search for overdue webhooks then finds the retry. */
const retryIsOverdue = () => advance(RETRY_PAUSE_MS + 3_000)

test('a failing webhook is attempted four times, ten seconds apart, and can then be redelivered by a user', async () => {
  let status = 500
  const hook = await receiver(demo, () => status)
  const payment = await paidPayment()
  await until('the first attempt arrives', () => hook.of(payment).length === 1)
  const id = hook.of(payment)[0]?.body.id as string
  for (let seen = 0; seen < 4; ) {
    const { attempts, next_attempt_at } = await until('another attempt is recorded', async () => {
      const delivery = await deliveryOf(id)
      return delivery.attempts.length > seen && delivery
    })
    seen = attempts.length
    const startedAt = attempts.map((each: { started_at: string }) => Date.parse(each.started_at))
    for (const [index, at] of startedAt.slice(1).entries())
      expect(at - startedAt[index]).toBeGreaterThanOrEqual(RETRY_PAUSE_MS)
    if (seen === 4) break
    expect(Date.parse(next_attempt_at) - startedAt.at(-1)).toBeGreaterThanOrEqual(RETRY_PAUSE_MS)
    retryIsOverdue()
  }
  expect(hook.of(payment)).toHaveLength(4)
  expect(new Set(hook.of(payment).map(hit => hit.raw)).size).toBe(1)
  const failed = await until('the event has failed permanently', async () => {
    const delivery = await deliveryOf(id)
    return delivery.status === 'permanently_failed' && delivery
  })
  expect(failed.next_attempt_at).toBeNull()
  expect(failed.attempts.map((each: object) => ({ ...each }))).toMatchObject(
    [1, 2, 3, 4].map(number => ({
      number,
      response_status: 500,
      response_body: 'receiver says 500',
      error: null,
    })),
  )

  status = 204
  const reopened = await http('POST', `${demo.base_url}/v1/webhook-deliveries/${id}/redeliver`, { auth })
  expect(reopened.data).toMatchObject({ id, status: 'pending' })
  await until('the event is delivered', async () => (await deliveryOf(id)).status === 'delivered')
  expect(hook.of(payment)).toHaveLength(5)
  expect((await deliveryOf(id)).attempts).toHaveLength(5)
  hook.close()
})

test('stored webhook events can be redelivered once the tenant has a callback URL', async () => {
  const set = (callback_url: string | null) =>
    http('PUT', `${demo.base_url}/v1/account/webhook`, { auth, body: { callback_url } })
  await set(null)
  const payment = await paidPayment()
  const id = await until('the event is stored', async () => {
    const { rows } = await app.db.raw('select id from webhook_events where payment_id = ?', [payment.id])
    return rows[0]?.id as string | undefined
  })
  expect(await deliveryOf(id)).toMatchObject({ status: 'not_configured', attempts: [], type: 'payment.paid' })
  const redeliver = () => http('POST', `${demo.base_url}/v1/webhook-deliveries/${id}/redeliver`, { auth })
  expect((await redeliver()).error).toMatchObject({ code: 'CONFLICT' })

  const hook = await receiver(demo)
  expect((await redeliver()).status).toBe(200)
  await until('the webhook arrives', () => hook.of(payment).length === 1)
  hook.close()
})

test("a payment's next webhook event waits until the previous event is delivered or permanently failed", async () => {
  let firstAttempt = true
  const hook = await receiver(demo, ({ body }) => {
    const refuse = body.type === 'payment.challenged' && firstAttempt
    firstAttempt = false
    return refuse ? 503 : 200
  })
  const { data } = await merchant.create()
  await simulate(demo, data, 'challenged')
  await until('the first attempt arrives', () => hook.of(data).length === 1)
  const [first] = hook.of(data)
  await until(
    'the attempt is recorded',
    async () => (await deliveryOf(first?.body.id as string)).attempts.length > 0,
  )
  await simulate(demo, data, 'paid')
  await until('the payment is paid', async () => (await merchant.get(data.id)).data.status === 'paid')
  retryIsOverdue()
  await until('both events arrive', () => hook.of(data).length === 3)
  expect(hook.of(data).map(({ body }) => [body.type, body.previous_status])).toEqual([
    ['payment.challenged', 'pending'],
    ['payment.challenged', 'pending'],
    ['payment.paid', 'challenged'],
  ])
  hook.close()
})

test('a redirect in response to a webhook counts as a failed attempt and is not followed', async () => {
  let followed = false
  const target = createServer((_, response) => {
    followed = true
    response.end()
  })
  await new Promise<void>(resolve => target.listen(0, '127.0.0.1', resolve))
  const redirecting = createServer((_, response) => {
    response.writeHead(302, { location: `http://127.0.0.1:${(target.address() as AddressInfo).port}/` }).end()
  })
  await new Promise<void>(resolve => redirecting.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}/`
  await http('PUT', `${demo.base_url}/v1/account/webhook`, { auth, body: { callback_url: url } })
  const payment = await paidPayment()
  const attempt = await until('the attempt is recorded', async () => {
    const { rows } = await app.db.raw(
      'select a.response_status from webhook_attempts a join webhook_events e on e.tenant_id = a.tenant_id and e.id = a.event_id where e.payment_id = ?',
      [payment.id],
    )
    return rows[0]
  })
  expect([attempt.response_status, followed]).toEqual([302, false])
  target.close()
  redirecting.close()
})

test('a webhook receiver that never responds does not delay another tenant’s webhooks', async () => {
  const dead = await receiver(demo, () => undefined)
  const other = merchantOf(demo, demo.client2.test_key)
  const alive = await receiver(demo, () => 200, demo.client2)
  // Cancelling 150 payments creates more webhook jobs than can run at once.
  const stuck = await Promise.all(Array.from({ length: 150 }, () => merchant.create()))
  await Promise.all(stuck.map(({ data }) => merchant.cancel(data.id)))
  await until('the unresponsive receiver has received two events', () => dead.hooks.length >= 2)

  const { data } = await other.create()
  await other.cancel(data.id)
  await until('the webhook of the other tenant arrives', () => alive.of(data).length === 1)
  // The unresponsive receiver got only a few events (16 on a fast machine, slightly more on a slow one). The other
  // tenant's event therefore did not wait for all 150 events.
  expect(dead.hooks.length).toBeLessThanOrEqual(32)
  dead.close()
  alive.close()
})

test('a webhook job from a process that has died is run by another process', async () => {
  const hook = await receiver(demo)
  const { data } = await merchant.create()
  const id = randomUUID()
  const event = {
    id,
    type: 'payment.cancelled',
    created_at: data.created_at,
    mode: 'test',
    previous_status: 'pending',
    data: { ...data, status: 'cancelled' },
  }
  // Simulates a worker that was killed while it ran the job that delivers the event. The worker's last heartbeat was
  // 16 seconds ago.
  await app.db.transaction(async tx => {
    await tx.raw('lock table graphile_worker._private_jobs in exclusive mode')
    await tx.raw(
      `insert into workers (id, pool_ids, seen_at) values (gen_random_uuid(), '{dead-pool}', now() - interval '16 seconds')`,
    )
    const { rows } = await tx.raw(
      `with event as (
         insert into webhook_events (tenant_id, id, payment_id, number, mode, type, body, created_at)
         values (?, ?, ?, 99, 'test', 'payment.cancelled', ?, now()) returning tenant_id, id
       )
       insert into webhook_queue (tenant_id, event_id, status, attempts_left, next_attempt_at)
       select tenant_id, id, 'pending', 4, now() from event returning tenant_id, event_id as id`,
      [data.tenant_id, id, data.id, JSON.stringify(event)],
    )
    await tx.raw(
      `select enqueue('deliver_webhook', array[json_build_object('tenant_id', ?::text, 'event_id', ?::text)], array[?])`,
      [rows[0].tenant_id, rows[0].id, rows[0].id],
    )
    await tx.raw(
      `update graphile_worker._private_jobs set locked_by = 'dead-pool', locked_at = now(), attempts = 1 where key = ?`,
      [rows[0].id],
    )
  })
  await until('the webhook of the payment arrives', () => hook.of(data).length === 1)
  hook.close()
})
