import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect, test } from 'vitest'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { serve } from '../support/compose-app.ts'

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
