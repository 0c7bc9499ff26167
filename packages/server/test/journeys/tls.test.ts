// Tests a service that terminates TLS itself. The service uses HTTP/2, but serves clients that do not support
// HTTP/2 over HTTP/1.1.

import { randomUUID, X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { rm, writeFile } from 'node:fs/promises'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  type IncomingHttpHeaders,
} from 'node:http2'
import { request } from 'node:https'
import { text } from 'node:stream/consumers'
import { expect, test, vi } from 'vitest'
import { httpMetrics } from '../../src/http/http-metrics.ts'
import { drain, listen } from '../../src/http/listener.ts'
import { createTlsServer } from '../../src/http/tls.ts'
import { createLog } from '../../src/logging/log.ts'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { certificate } from '../support/certificate.ts'
import { serve } from '../support/compose-app.ts'
import { anOrder } from '../support/order.ts'

const { app, demo } = await testApp({ worker: false })
const tls = await certificate()
const start = () => serve(app, { tls })
const server = await start()
atEnd(server.stop)

const authorization = `ApiKey ${demo.client.test_key}`
const create = () => ({
  ':path': '/v1/payments/create',
  ':method': 'POST',
  authorization,
  'content-type': 'application/json',
  'x-idempotency-key': randomUUID(),
})

function session(url = server.url): ClientHttp2Session {
  const made = connect(url, { ca: tls.cert })
  atEnd(() => made.destroy())
  return made
}

async function answerOf(stream: ClientHttp2Stream) {
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status': number }]
  return { status: headers[':status'], headers, body: await text(stream) }
}

function ask(http2: ClientHttp2Session, path: string) {
  return answerOf(http2.request({ ':path': path, authorization }))
}

test('many concurrent payments are created and read over one HTTP/2 connection', async () => {
  const http2 = session()
  const created = await Promise.all(
    Array.from({ length: 20 }, () => {
      const stream = http2.request(create())
      stream.end(JSON.stringify(anOrder()))
      return answerOf(stream)
    }),
  )
  expect(created.map(({ status }) => status)).toEqual(created.map(() => 200))
  const ids = created.map(({ body }) => JSON.parse(body).data.id)
  const read = await Promise.all(ids.map(id => ask(http2, `/v1/payments/${id}`)))
  expect(read.map(({ body }) => JSON.parse(body).data.id)).toEqual(ids)
})

test('tRPC calls and dashboard pages are served over HTTP/2, and errors have the documented format', async () => {
  const http2 = session()
  const missing = await ask(http2, '/v1/payments/none')
  expect([missing.status, JSON.parse(missing.body).error.code]).toEqual([404, 'NOT_FOUND'])
  expect(missing.headers['x-request-id']).toBeTruthy()
  const methods = await ask(http2, '/trpc/methods.activeMethods?input=%7B%7D')
  expect([methods.status, 'result' in JSON.parse(methods.body)]).toEqual([200, true])
  expect((await ask(http2, '/dashboard')).headers['content-type']).toContain('text/html')
})

test('over HTTP/2, a body that is too large is rejected, and the connection serves the next request', async () => {
  const http2 = session()
  const stream = http2.request(create())
  stream.on('error', () => {})
  stream.write(' '.repeat(300 * 1024))
  expect((await answerOf(stream)).status).toBe(413)
  stream.close(constants.NGHTTP2_CANCEL)
  expect((await ask(http2, '/v1/account/balance')).status).toBe(200)
})

test('a client that does not support HTTP/2 is served over HTTP/1.1', async () => {
  const sent = request(`${server.url}/v1/account/balance`, { ca: tls.cert, headers: { authorization } })
  sent.end()
  const [response] = await once(sent, 'response')
  expect([response.httpVersion, response.statusCode]).toEqual(['1.1', 200])
  response.resume()
})

test('a stopping service finishes its HTTP/2 requests in flight and then closes the connection', async () => {
  const ending = await start()
  const http2 = session(ending.url)
  const stream = http2.request({ ...create(), expect: '100-continue' })
  // The service has now received the request's headers and is waiting for its body.
  await once(stream, 'continue')
  const over = once(http2, 'close')
  const stopped = ending.stop()
  stream.end(JSON.stringify(anOrder()))
  expect((await answerOf(stream)).status).toBe(200)
  await Promise.all([stopped, over])
})

test('a renewed TLS certificate is used without a restart, and an incomplete renewal is ignored', async () => {
  const renewed = await certificate()
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const listening = createTlsServer({}, (_, response) => response.end(), renewed, createLog('silent'))
  const url = await listen(listening, { host: '127.0.0.1', port: 0 })
  const isServed = async (cert: string) => {
    const http2 = connect(url, { ca: cert })
    const outcome = await once(http2, 'connect').then(
      () => true,
      () => false,
    )
    http2.destroy()
    return outcome
  }
  const cert = await renewed.renew()
  expect([await isServed(cert), await isServed(renewed.cert)]).toEqual([false, true])
  vi.advanceTimersByTime(60_000)
  expect([await isServed(cert), await isServed(renewed.cert)]).toEqual([true, false])
  await writeFile(renewed.certFile, 'half')
  vi.advanceTimersByTime(60_000)
  expect(await isServed(cert)).toBe(true)
  vi.useRealTimers()
  await drain(listening)
})

test('a repeated failure to load a TLS certificate is logged only once until loading succeeds', async () => {
  const renewed = await certificate()
  const log = { warn: vi.fn() }
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const listening = createTlsServer({}, () => {}, renewed, log)
  await listen(listening, { host: '127.0.0.1', port: 0 })
  const check = () => vi.advanceTimersByTime(60_000)
  const reasons = () => log.warn.mock.calls.map(([{ err }]) => err.message)
  for (let repeated = 1; repeated <= 2; repeated++) {
    await writeFile(renewed.certFile, 'half')
    check()
    expect(reasons()).toHaveLength((repeated - 1) * 2)
    check()
    check()
    expect(reasons()).toHaveLength(repeated * 2 - 1)
    expect(reasons().at(-1)).toContain('must be a certificate and its key in PEM format')
    await rm(renewed.keyFile)
    check()
    check()
    expect(reasons()).toHaveLength(repeated * 2)
    expect(reasons().at(-1)).toContain(`${renewed.keyFile} cannot be read (ENOENT)`)
    await renewed.renew()
    check()
  }
  vi.useRealTimers()
  await drain(listening)
})

test('the metric for the expiry of the TLS certificate follows the certificate in use', async () => {
  const renewed = await certificate()
  const expiry = async () => (await httpMetrics.certificateExpires.get()).values[0]?.value
  const expiryOf = (cert: string) => new X509Certificate(cert).validToDate.getTime() / 1_000
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const listening = createTlsServer({}, () => {}, renewed, createLog('silent'))
  await listen(listening, { host: '127.0.0.1', port: 0 })
  expect(await expiry()).toBe(expiryOf(renewed.cert))
  const cert = await renewed.renew(30)
  expect(expiryOf(cert)).not.toBe(expiryOf(renewed.cert))
  vi.advanceTimersByTime(60_000)
  expect(await expiry()).toBe(expiryOf(cert))
  await writeFile(renewed.certFile, 'half')
  vi.advanceTimersByTime(60_000)
  expect(await expiry()).toBe(expiryOf(cert))
  vi.useRealTimers()
  await drain(listening)
})

test.each([
  [
    'a missing certificate file',
    { certFile: '/nowhere/cert.pem' },
    'GAPURA_TLS_CERT: /nowhere/cert.pem cannot be read (ENOENT)',
  ],
  [
    'an invalid private key',
    { keyFile: tls.certFile },
    'GAPURA_TLS_CERT, GAPURA_TLS_KEY: must be a certificate and its key in PEM format',
  ],
])(
  'a service with invalid TLS settings does not start, and the error names %s',
  async (_, files, message) => {
    expect(() => createTlsServer({}, () => {}, { ...tls, ...files }, createLog('silent'))).toThrow(message)
  },
)
