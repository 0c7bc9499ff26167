// Tests the time limits for clients that open connections, send headers, or send bodies slowly. Such a client must
// not delay any other caller.

import { once } from 'node:events'
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import type { HttpOptions } from '../../src/http/server.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { serve } from '../support/compose-app.ts'
import { merchantOf, simulate } from '../support/merchant.ts'
import { exchange, head, type RawAnswer } from '../support/raw-http.ts'

let { app, demo }: TestApp = {} as TestApp
let auth: string
beforeAll(async () => {
  ;({ app, demo } = await testApp({ worker: false }))
  auth = `Authorization: ApiKey ${demo.client.test_key}`
})
const send = (...parts: (string | Buffer)[]) => exchange(demo.base_url, ...parts)
const methods = 'GET /v1/active-methods HTTP/1.1'
const create = 'POST /v1/payments/create HTTP/1.1'

/** Starts a server with the given limits and returns its URL. */
async function serverWith(limits: NonNullable<HttpOptions['limits']>): Promise<string> {
  const server = await serve(app, { limits })
  atEnd(() => server.stop())
  return server.url
}

test('connections above the maximum number are closed until an earlier connection ends', async () => {
  const url = await serverWith({ connections: 3 })
  const port = Number(new URL(url).port)
  const open = await Promise.all(
    [1, 2, 3].map(async () => {
      const socket = connect({ port, host: '127.0.0.1' })
      await once(socket, 'connect')
      return socket
    }),
  )
  const healthz = head('GET /healthz HTTP/1.1')
  expect(await exchange(url, healthz)).toEqual([])
  open[0]?.destroy()
  await expect.poll(() => exchange(url, healthz)).toMatchObject([{ status: 200 }])
  for (const socket of open) socket.destroy()
})

test('clients without a valid credential that never finish their bodies do not delay create requests or callbacks', async () => {
  const announce = (path: string) =>
    `POST ${path} HTTP/1.1\r\nHost: gapura\r\nContent-Type: application/json\r\nContent-Length: 262144\r\n\r\n{`
  const paths = [
    '/v1/payments/create',
    '/trpc/payments.create',
    '/v1/callbacks/midtrans/01990000-0000-7000-8000-000000000009',
  ]
  const strangers = paths.flatMap(path =>
    Array.from({ length: 300 }, () => {
      const socket = connect({ port: Number(new URL(demo.base_url).port), host: '127.0.0.1' })
      socket.on('error', () => {}).write(announce(path))
      return once(socket, 'data').then(([first]) => ({ socket, status: String(first).slice(9, 12) }))
    }),
  )
  // Each client gets its response at once, although the client never sends its complete request body.
  const told = await Promise.all(strangers)
  const statuses = told.map(({ status }) => status)
  expect(statuses.slice(0, 600)).toEqual(Array(600).fill('401'))
  expect(statuses.slice(600)).toEqual(Array(300).fill('404'))
  const merchant = merchantOf(demo)
  const { status, data } = await merchant.create()
  expect(status).toBe(200)
  expect(await simulate(demo, data, 'paid')).toMatchObject([{ status: 200 }])
  for (const { socket } of told) socket.destroy()
})

test('a client that does not read its responses is disconnected, and its further requests are dropped', async () => {
  // The server allows only one connection at a time. Another client is therefore served only after this
  // connection is closed.
  const url = await serverWith({ inactivityTimeout: 300, connections: 1 })
  const whole = (await (await fetch(`${demo.base_url}/openapi.json`)).arrayBuffer()).byteLength
  const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1' })
  const closed = once(
    socket.on('error', () => {}),
    'close',
  )
  // The responses do not fit in the buffers on both sides of the connection. The server therefore cannot send all of
  // them before the client reads.
  socket.write(`GET /openapi.json HTTP/1.1\r\nHost: gapura\r\n\r\n`.repeat(100))
  await once(socket, 'connect')
  await expect.poll(() => exchange(url, head('GET /healthz HTTP/1.1'))).toMatchObject([{ status: 200 }])
  let read = 0
  socket.on('data', chunk => {
    read += chunk.length
  })
  await closed
  expect(read).toBeLessThan(100 * whole)
})

describe('a client that sends a request too slowly is disconnected and does not delay other callers', () => {
  let url: string
  beforeAll(async () => {
    url = await serverWith({ headersTimeout: 200, requestTimeout: 400, connectionsCheckingInterval: 50 })
  })
  const late = [400, 'BAD_REQUEST', 'bad request: the request did not arrive completely in time']
  const told = ({ status, body }: RawAnswer) => {
    const { error } = JSON.parse(body)
    return [status, error.data?.code ?? error.code, error.message]
  }

  test('a client that sends its headers slowly is disconnected and delays no other caller', async () => {
    // The time limit for the headers of a request is 5 s. Even on a busy machine, a normal request takes less
    // time, so only the slow requests of this test exceed the limit.
    const url = await serverWith({ headersTimeout: 5_000, connectionsCheckingInterval: 50 })
    const slow = Promise.all(Array.from({ length: 100 }, () => exchange(url, `${methods}\r\n`, auth)))
    expect((await merchantOf({ ...demo, base_url: url }).call('GET', '/v1/active-methods')).status).toBe(200)
    for (const answers of await slow) expect(answers.map(told)).toEqual([late])
  })

  test('a client that sends a body slowly is disconnected', async () => {
    const lines = [create, 'Host: gapura', auth, 'X-Idempotency-Key: slow', 'Content-Type: application/json']
    const start = `${[...lines, 'Content-Length: 100'].join('\r\n')}\r\n\r\n{`
    for (const answers of await Promise.all(Array.from({ length: 20 }, () => exchange(url, start))))
      expect(answers.map(told)).toEqual([late])
  })

  test('a client that sends a body slowly to an ordinary route is disconnected long before the time limit for uploads', async () => {
    const head = [auth, 'Host: gapura', 'X-Idempotency-Key: slow', 'Content-Type: application/json']
    const start = (...lines: string[]) =>
      `${[...lines, ...head, 'Content-Length: 100'].join('\r\n')}\r\n\r\n{`
    const { rows } = await app.db.raw("select id from provider_accounts where provider_code = 'midtrans'")
    const account = `/v1/callbacks/midtrans/${rows[0].id}`
    const paths = ['/v1/payments/create', '/v1/auth/login', account, '/trpc/auth.login', '/trpc/payments.get']
    const slow = paths.map(path => send(start(`POST ${path} HTTP/1.1`)))
    const slowly = [
      400,
      'BAD_REQUEST',
      'bad request: body: arrived too slowly; the first byte is due within 2 seconds, the whole body within 10',
    ]
    for (const answers of await Promise.all(slow)) {
      expect(answers.map(told)).toEqual([slowly])
      expect(answers[0]?.headers.connection).toBe('close')
    }
  })

  test('a client that sends a chunked body byte by byte is disconnected at the time limit', async () => {
    const lines = [create, 'Host: gapura', auth, 'X-Idempotency-Key: slow', 'Content-Type: application/json']
    const start = `${[...lines, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`
    const [answer] = await exchange(url, start, '1\r\n{\r\n', '1\r\n \r\n')
    expect(told(answer as RawAnswer)).toEqual(late)
  })
})
