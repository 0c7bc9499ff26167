// Tests that a client still sending its request body receives the error response instead of a connection error.

import { once } from 'node:events'
import { Agent, get, type IncomingMessage, request } from 'node:http'
import { connect } from 'node:net'
import { setImmediate as endOfTurn } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'

const SIZE = 300_000

let demo: TestApp['demo']
beforeAll(async () => {
  ;({ demo } = await testApp({ worker: false }))
})

test('a client that sends too large a body gets the error response and can reuse the connection', async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  onTestFinished(() => agent.destroy())
  const asked = request(`${demo.base_url}/v1/payments/create`, {
    agent,
    method: 'POST',
    headers: {
      authorization: `ApiKey ${demo.client.test_key}`,
      'content-type': 'application/json',
      'content-length': SIZE,
    },
  })
  asked.flushHeaders()
  const [refusal] = (await once(asked, 'response')) as [IncomingMessage]
  expect(refusal.statusCode).toBe(413)
  await once(refusal.resume(), 'end')
  asked.on('error', () => {}).end(Buffer.alloc(SIZE, ' '))
  await once(asked, 'close')
  const next = get(`${demo.base_url}/healthz`, { agent })
  const [response] = (await once(next, 'response')) as [IncomingMessage]
  expect([response.statusCode, next.reusedSocket]).toEqual([200, true])
  response.resume()
})

/**
 * Sends a request with `Connection: close`, but sends the parts of its body only after the response has begun.
 * `endedAfter` is the number of parts sent before the server ended the connection.
 */
async function sendLate({ size = SIZE, key = demo.client.test_key, part = 10_000, parts = SIZE / 10_000 }) {
  const { port, hostname } = new URL(demo.base_url)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  onTestFinished(() => void socket.destroy())
  let sent = 0
  let endedAfter: number | undefined
  let text = ''
  socket.on('data', chunk => {
    text += chunk
  })
  const ended = new Promise<void>(resolve => {
    for (const event of ['end', 'error', 'close'])
      socket.on(event, () => {
        endedAfter ??= sent
        resolve()
      })
  })
  const lines = [
    'POST /v1/payments/create HTTP/1.1',
    'Host: gapura',
    `Authorization: ApiKey ${key}`,
    'Content-Type: application/json',
    `Content-Length: ${size}`,
    'Connection: close',
  ]
  socket.write(`${lines.join('\r\n')}\r\n\r\n`)
  await once(socket, 'data')
  const bytes = Buffer.alloc(part, ' ')
  while (sent < parts && endedAfter === undefined) {
    await Promise.race([new Promise(resolve => socket.write(bytes, resolve)), ended])
    sent++
    // Waits for two turns of the event loop before the next part is sent. This way, the client notices if the server
    // has ended the connection.
    await endOfTurn()
    await endOfTurn()
  }
  await ended
  return { status: Number(text.slice(9, 12)), endedAfter }
}

// In the following tests, the client sends the header `Connection: close` to ask the server to close the
// connection.

test('after an error response, the server closes the connection only once the client has sent its whole body', async () => {
  expect(await sendLate({})).toEqual({ status: 413, endedAfter: 30 })
  expect(await sendLate({ key: 'gp_test_unknown' })).toEqual({ status: 401, endedAfter: 30 })
})

test('after an error response, the server closes the connection if the rest of the request body never arrives', async () => {
  expect(await sendLate({ parts: 1 })).toEqual({ status: 413, endedAfter: 1 })
})

test('the server closes the connection before the end of a request body that is much too large', async () => {
  const { status, endedAfter } = await sendLate({ size: 1_000_000_000, part: 1_000_000, parts: 1_000 })
  expect(status).toBe(413)
  // The server ends the connection after a few megabytes. The client can send this much, because it fits into
  // the buffers of the two sockets.
  expect(endedAfter).toBeLessThan(100)
})
