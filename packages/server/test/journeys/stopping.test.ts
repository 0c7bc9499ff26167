import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { serve } from '../support/compose-app.ts'
import { until } from '../support/merchant.ts'
import { anOrder } from '../support/order.ts'
import { sentWhile } from '../support/sent-statements.ts'

const { app, demo } = await testApp({ worker: false })
let stopping = false
const server = await serve(app, { readiness: () => ({ worker: true, stopping }) })
atEnd(server.stop)

const authorization = `ApiKey ${demo.client.test_key}`

async function connectionAfter(path: string) {
  const sent = request(server.url + path, { headers: { authorization, connection: 'keep-alive' } })
  const answer = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.end()
  const [response] = await answer
  response.resume()
  return [response.statusCode, response.headers.connection]
}

test.each(['/v1/account/balance', '/trpc/methods.activeMethods?input=%7B%7D', '/healthz', '/docs'])(
  'after the stop signal, a request for %s is served as usual, and then its connection is closed',
  async path => {
    stopping = false
    expect(await connectionAfter(path)).toEqual([200, 'keep-alive'])
    stopping = true
    expect(await connectionAfter(path)).toEqual([200, 'close'])
  },
)

test('a request in flight when a stop signal arrives gets its response before its connection is closed', async () => {
  stopping = false
  const sent = request(`${server.url}/v1/payments/create`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json', 'content-length': 2 },
  })
  const answer = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.flushHeaders()
  expect(await connectionAfter('/v1/account/balance')).toEqual([200, 'keep-alive'])
  stopping = true
  sent.end('{}')
  const [response] = await answer
  response.resume()
  expect([response.statusCode, response.headers.connection]).toEqual([400, 'close'])
})

test('after a stop signal, a process reports to the load balancer’s health check that it is not ready', async () => {
  stopping = true
  const response = await fetch(`${server.url}/readyz`)
  expect([response.status, await response.json()]).toEqual([
    503,
    { status: 'not ready', checks: { database: true, storage: true, worker: true, accepting: false } },
  ])
})

describe('open connections of a stopping server can serve one more request and are then closed', () => {
  /**
   * Starts a server, and opens a connection that stays open after the first response. When the server stops, it closes
   * the connection after `idleMs` milliseconds without a request.
   */
  async function openConnection({ idleMs = 1_000 } = {}) {
    const own = await serve(app, { limits: { stoppingIdleTimeout: idleMs } })
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    atEnd(async () => agent.destroy())
    const ask = async () => {
      const sent = request(`${own.url}/healthz`, { agent })
      const answer = once(sent, 'response') as Promise<[IncomingMessage]>
      sent.end()
      const [response] = await answer
      await once(response.resume(), 'end')
      return [response.statusCode, response.headers.connection, sent.reusedSocket]
    }
    expect(await ask()).toEqual([200, 'keep-alive', false])
    return { own, ask }
  }

  test('open connections of a stopping server accept one more request each, and are closed after its response', async () => {
    // The time limit for idle connections is longer than the test takes on any machine.
    const { own, ask } = await openConnection({ idleMs: 600_000 })
    const stopped = own.stop()
    expect(await ask()).toEqual([200, 'close', true])
    await stopped
    await expect(ask()).rejects.toMatchObject({ code: 'ECONNREFUSED' })
  })

  test('a stopping server closes open connections after a second without a request', async () => {
    const { own } = await openConnection()
    const startedAt = performance.now()
    await own.stop()
    const ms = performance.now() - startedAt
    expect(ms).toBeGreaterThan(900)
    // A stopping server closes all connections after 15 seconds.
    expect(ms).toBeLessThan(14_000)
  })

  test('if all connections are already closed, the server stops without waiting', async () => {
    // If the server waited for `stoppingIdleTimeout` before it stops, the test would time out.
    const own = await serve(app, { limits: { stoppingIdleTimeout: 3_600_000 } })
    await own.stop()
  })

  test('a stopping server ends requests that wait for webhook events with an empty list', async () => {
    const { own } = await openConnection()
    await sentWhile(async sent => {
      const waiting = fetch(`${own.url}/v1/account/webhook/events?wait_seconds=25`, {
        headers: { authorization },
      })
      await until('the request has read the events', () =>
        sent.some(({ text }) => text.includes('webhook_events')),
      )
      await own.stop()
      const response = await waiting
      expect([response.status, response.headers.get('connection')]).toEqual([200, 'close'])
      expect(await response.json()).toMatchObject({ data: { events: [] } })
    })
  })

  test('a stopping server refuses new connections', async () => {
    const { own } = await openConnection()
    const stopped = own.stop()
    await expect(fetch(`${own.url}/healthz`)).rejects.toMatchObject({ cause: { code: 'ECONNREFUSED' } })
    await stopped
  })
})

test.each(['/v1/payments/create', '/trpc/payments.create'])(
  'a stopping server waits for a charge in flight and stores its result, even if the client of %s has disconnected',
  async path => {
    const own = await serve(app)
    const key = randomUUID()
    const headers = { authorization, 'content-type': 'application/json', 'x-idempotency-key': key }
    const sent = request(own.url + path, { method: 'POST', headers })
    sent.on('error', () => {}).end(JSON.stringify(anOrder({ customer_name: 'SANDBOX SLOW' })))
    const payment = async () => {
      const { rows } = await app.db.raw(
        'select status, method_data as "methodData" from payments where idempotency_key = ?',
        [key],
      )
      return rows[0]
    }
    await until('the payment is stored', payment)
    sent.destroy()
    await own.stop()
    expect(await payment()).toEqual({ status: 'pending', methodData: expect.any(Object) })
  },
)

test('a stopping server waits for the handler of a callback, even if the sender has disconnected', async () => {
  const own = await serve(app)
  const order: string[] = []
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const lookup = vi.spyOn(app, 'accountOf').mockImplementation(async () => {
    await released
    order.push('account looked up')
    return undefined
  })
  onTestFinished(() => lookup.mockRestore())
  const sent = request(`${own.url}/v1/callbacks/midtrans/${randomUUID()}`, { method: 'POST' })
  sent.on('error', () => {}).end('{}')
  await until('the callback is handled', () => lookup.mock.calls.length > 0)
  sent.destroy()
  const stopped = own.stop().then(() => order.push('server stopped'))
  // A server that does not wait for the handler stops earlier than this.
  await Promise.race([stopped, pause(500)])
  release()
  await stopped
  expect(order).toEqual(['account looked up', 'server stopped'])
})
