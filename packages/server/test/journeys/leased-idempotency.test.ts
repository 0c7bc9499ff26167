// Tests idempotency keys of management requests that cannot run in one transaction, because they call a provider or
// make their change in several transactions.

import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { runOnceWithLease } from '../../src/audit/run-once-with-lease.ts'
import { newId } from '../../src/values/id.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { type Answer, http, logIn, merchantOf, simulate, until } from '../support/merchant.ts'

let service: TestApp
let auth: { owner: string; client: string }
beforeAll(async () => {
  service = await testApp()
  const { demo } = service
  const [owner, client] = await Promise.all([logIn(demo, demo.owner), logIn(demo, demo.client)])
  auth = { owner, client }
})

const call = (as: keyof typeof auth, method: string, path: string, body: object | undefined, key?: string) =>
  http(method, service.demo.base_url + path, {
    auth: auth[as],
    body,
    ...(key !== undefined && { headers: { 'x-idempotency-key': key } }),
  })
const replayed = ({ headers }: Answer) => headers.get('idempotency-replayed')
const outcome = (answer: Answer) => [answer.status, answer.error?.code ?? null, replayed(answer)]
const auditEntries = async (action: string) =>
  Number(
    (await service.app.db.raw('select count(*) as n from audit_log where action = ?', [action])).rows[0].n,
  )

async function challengedPayment(): Promise<string> {
  const shop = merchantOf(service.demo)
  const { data } = await shop.create()
  await simulate(service.demo, data, 'challenged')
  await until('the payment is challenged', async () => (await shop.get(data.id)).data.status === 'challenged')
  return data.id
}

describe('an operation that cannot run in one transaction', () => {
  test('repeating the redelivery of failed webhooks with the same idempotency key redelivers no webhook again', async () => {
    await call('client', 'PUT', '/v1/account/webhook', { callback_url: 'http://127.0.0.1:9/hook' })
    const redeliver = (key: string, since = '2026-01-01T00:00:00Z') =>
      call('client', 'POST', '/v1/webhook-deliveries/redeliver', { since }, key)
    const key = newId()
    const first = await redeliver(key)
    expect(outcome(first)).toEqual([200, null, null])
    const made = await auditEntries('webhook.redeliver_failed')
    const second = await redeliver(key)
    expect([...outcome(second), second.data]).toEqual([200, null, 'true', first.data])
    expect(await auditEntries('webhook.redeliver_failed')).toBe(made)
    expect(outcome(await redeliver(key, '2026-02-01T00:00:00Z'))).toEqual([409, 'IDEMPOTENCY_CONFLICT', null])
    expect(outcome(await redeliver(newId()))).toEqual([200, null, null])
    expect(await auditEntries('webhook.redeliver_failed')).toBe(made + 1)
  })

  test('repeating a decision about a challenged payment with the same idempotency key returns the first response', async () => {
    const id = await challengedPayment()
    const resolve = (key?: string, reason = 'agreed by phone') =>
      call('owner', 'POST', `/v1/payments/${id}/resolve`, { decision: 'reject', reason }, key)
    const key = newId()
    const first = await resolve(key)
    expect([...outcome(first), first.data.status]).toEqual([200, null, null, 'failed'])
    const second = await resolve(key)
    expect([...outcome(second), second.data]).toEqual([200, null, 'true', first.data])
    expect(outcome(await resolve(key, 'another reason'))).toEqual([409, 'IDEMPOTENCY_CONFLICT', null])
    expect(outcome(await resolve())).toEqual([409, 'INVALID_STATE_TRANSITION', null])
  })

  test('repeating the acceptance of a partial payment with the same idempotency key returns the first response', async () => {
    const shop = merchantOf(service.demo)
    const { data: payment } = await shop.create()
    await simulate(service.demo, payment, 'paid', { amount: 100 })
    const record = await until('the partial payment is recorded', async () => {
      const list = await call('owner', 'GET', `/v1/unexpected-money?payment_id=${payment.id}`, undefined)
      return list.data.items[0]
    })
    const accept = (key: string) =>
      call('owner', 'POST', `/v1/unexpected-money/${record.id}/accept`, { reason: 'agreed by phone' }, key)
    const key = newId()
    const first = await accept(key)
    expect([...outcome(first), first.data.status]).toEqual([200, null, null, 'accepted'])
    const second = await accept(key)
    expect([...outcome(second), second.data]).toEqual([200, null, 'true', first.data])
    expect(outcome(await accept(newId()))).toEqual([409, 'CONFLICT', null])
  })

  test('after an operation fails, its idempotency key can be used again for another request', async () => {
    const id = await challengedPayment()
    const resolve = (decision: string, key: string) =>
      call('owner', 'POST', `/v1/payments/${id}/resolve`, { decision, reason: 'agreed by phone' }, key)
    const key = newId()
    const confirm = await resolve('accept', newId())
    expect(confirm.status).toBe(200)
    expect(outcome(await resolve('accept', key))).toEqual([409, 'INVALID_STATE_TRANSITION', null])
    expect(outcome(await resolve('reject', key))).toEqual([409, 'INVALID_STATE_TRANSITION', null])
  })

  test('polling a provider or reprocessing a callback is rejected with a malformed idempotency key', async () => {
    for (const path of [
      `/v1/unknown-payments/${newId()}/inquire`,
      `/v1/provider-callbacks/${newId()}/reprocess`,
    ])
      expect(outcome(await call('owner', 'POST', path, {}, 'a b'))).toEqual([400, 'BAD_REQUEST', null])
  })
})

describe('while an operation is running, no other request can use its idempotency key', () => {
  afterEach(() => void vi.useRealTimers())

  /**
   * Returns `request`, which sends the same request with the same idempotency key each time. The next call of
   * `newRequest` creates another key.
   */
  async function newRequest(db = service.app.db) {
    const { rows } = await service.app.db.raw(
      'select id, tenant_id as "tenantId" from users where email = ?',
      [service.demo.client.email],
    )
    const key = { tenantId: rows[0].tenantId, userId: rows[0].id, key: newId() }
    const request = <Response>(run: () => Promise<Response>) =>
      runOnceWithLease({ ...service.app, db }, key, 'request', run)
    /** Returns the time in milliseconds until which the idempotency key is reserved for the running request. */
    const claimedUntilMs = async (): Promise<number> => {
      const claims = await service.app.db.raw(
        'select expires_at from management_requests where user_id = ? and key = ?',
        [key.userId, key.key],
      )
      return claims.rows[0].expires_at.getTime()
    }
    return { request, claimedUntilMs }
  }
  /**
   * Starts the request and waits until it is running. The request ends when the test calls `end`, and returns
   * the value that the test passes to `end`.
   */
  async function begin(request: Awaited<ReturnType<typeof newRequest>>['request']) {
    const isRunning = Promise.withResolvers<void>()
    const { promise, resolve: end } = Promise.withResolvers<string>()
    const result = request(() => {
      isRunning.resolve()
      return promise
    })
    await Promise.race([isRunning.promise, result])
    return { result, end }
  }
  const inProgress = { code: 'IDEMPOTENCY_CONFLICT', retryAfterSeconds: 1 }
  const neverRuns = async () => expect.unreachable()

  test('while a request runs, a concurrent request with the same idempotency key is rejected', async () => {
    const { request } = await newRequest()
    const first = await begin(request)
    await expect(request(neverRuns)).rejects.toMatchObject(inProgress)
    first.end('done')
    expect(await first.result).toEqual({ response: 'done', isReplayed: false })
    expect(await request(neverRuns)).toEqual({ response: 'done', isReplayed: true })
  })

  test('only one of several concurrent requests with the same key runs', async () => {
    const { request } = await newRequest()
    const { promise, resolve } = Promise.withResolvers<void>()
    const errors: unknown[] = []
    const requests = Array.from({ length: 5 }, () =>
      request(() => promise).catch(error => void errors.push(error)),
    )
    await until('all requests except one are rejected', () => errors.length === 4)
    resolve()
    await Promise.all(requests)
    expect(errors).toMatchObject(Array(4).fill(inProgress))
  })

  test('a failed request with an idempotency key runs again when it is repeated', async () => {
    const { request } = await newRequest()
    await expect(request(() => Promise.reject(new Error('the provider is down')))).rejects.toThrow('is down')
    expect(await request(async () => 'done')).toEqual({ response: 'done', isReplayed: false })
  })

  test('the response to a request with an idempotency key is stored for 24 hours', async () => {
    const { request } = await newRequest()
    await request(async () => 'first')
    service.advance(23 * 3_600_000)
    expect((await request(neverRuns)).response).toBe('first')
    service.advance(2 * 3_600_000)
    expect((await request(async () => 'second')).response).toBe('second')
  })

  test('if a request stalls for over a minute, a repeated request runs, and the late response is discarded', async () => {
    const { request } = await newRequest()
    const hung = await begin(request)
    service.advance(61_000)
    const second = await begin(request)
    hung.end('first')
    await hung.result
    await expect(request(neverRuns)).rejects.toMatchObject(inProgress)
    second.end('second')
    expect(await second.result).toEqual({ response: 'second', isReplayed: false })
    expect(await request(neverRuns)).toEqual({ response: 'second', isReplayed: true })
  })

  test('while a request runs, the lease on its idempotency key is renewed', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    const { request, claimedUntilMs } = await newRequest()
    const slow = await begin(request)
    for (const _ of [1, 2, 3, 4]) {
      const before = await claimedUntilMs()
      service.advance(20_000)
      vi.advanceTimersByTime(20_000)
      await until('the lease is renewed', async () => (await claimedUntilMs()) > before)
    }
    await expect(request(neverRuns)).rejects.toMatchObject(inProgress)
    slow.end('done')
    await slow.result
    expect(await request(neverRuns)).toEqual({ response: 'done', isReplayed: true })
  })

  test("the lease is renewed even if the database's response to an earlier renewal was lost", async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
    let isLost = false
    let lostResponses = 0
    const raw = async (sql: string, bindings: object) => {
      const result = await service.app.db.raw(sql, bindings as never)
      if (!isLost) return result
      lostResponses++
      throw new Error('the connection was lost')
    }
    const { request, claimedUntilMs } = await newRequest({ raw } as never)
    const slow = await begin(request)
    isLost = true
    for (const _ of [1, 2, 3, 4]) {
      const before = await claimedUntilMs()
      service.advance(20_000)
      vi.advanceTimersByTime(20_000)
      await until(
        'the lease is renewed, and the response to the first renewal is lost',
        async () => (await claimedUntilMs()) > before && lostResponses === 1,
      )
      isLost = false
    }
    await expect(request(neverRuns)).rejects.toMatchObject(inProgress)
    slow.end('done')
    await slow.result
    expect(await request(neverRuns)).toEqual({ response: 'done', isReplayed: true })
  })

  test('an operation succeeds even if its response cannot be stored for repeated requests', async () => {
    const { request } = await newRequest()
    const { secrets } = service.app
    const { encrypt } = secrets
    secrets.encrypt = () => Promise.reject(new Error('the disk is full'))
    try {
      expect((await request(async () => 'done')).response).toBe('done')
    } finally {
      secrets.encrypt = encrypt
    }
  })
})
