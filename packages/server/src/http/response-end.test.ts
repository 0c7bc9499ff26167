import { once } from 'node:events'
import * as http from 'node:http'
import * as http2 from 'node:http2'
import { type AddressInfo, connect, type Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { responseEnd } from './response-end.ts'

/** Sends a request over one protocol. The returned function disconnects the client. */
type Request = (port: number) => () => void
const protocols: [string, (handle: http.RequestListener) => Server, Request][] = [
  [
    'HTTP/1.1',
    handle => http.createServer(handle),
    port => {
      const request = http.get({ port }, response => response.resume()).on('error', () => {})
      return () => request.destroy()
    },
  ],
  [
    'HTTP/2',
    handle => http2.createServer(handle as never),
    port => {
      const session = http2.connect(`http://127.0.0.1:${port}`)
      onTestFinished(() => session.destroy())
      const stream = session.request({ ':path': '/' }).on('error', () => {})
      stream.resume()
      return () => stream.close(http2.constants.NGHTTP2_CANCEL)
    },
  ],
]

test.each(protocols)(
  'over %s, the end of a response is also reported to code that asks after the client has disconnected',
  async (_, createServer, request) => {
    const arrived = Promise.withResolvers<http.ServerResponse>()
    const server = createServer((_, res) => {
      responseEnd(res)
      arrived.resolve(res)
    })
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const disconnect = request((server.address() as AddressInfo).port)
    const res = await arrived.promise
    expect(responseEnd(res).hasEnded()).toBe(false)
    const closed = once(res, 'close')
    disconnect()
    await closed
    await responseEnd(res).ended
    expect(responseEnd(res).hasEnded()).toBe(true)
  },
)

test.each(protocols)(
  'over %s, a response has ended when the client has received it',
  async (_, createServer, request) => {
    const ended = Promise.withResolvers<boolean>()
    const server = createServer((_, res) => {
      const end = responseEnd(res)
      void end.ended.then(() => ended.resolve(end.hasEnded()))
      res.end('done')
    })
    onTestFinished(() => void server.close())
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const disconnect = request((server.address() as AddressInfo).port)
    onTestFinished(disconnect)
    expect(await ended.promise).toBe(true)
  },
)

test('if a client disconnects, its pipelined requests that wait for an earlier response have ended, too', async () => {
  const arrived = Promise.withResolvers<void>()
  const responses: http.ServerResponse[] = []
  const server = http.createServer((_, res) => {
    responseEnd(res)
    if (responses.push(res) === 3) arrived.resolve()
  })
  onTestFinished(() => void server.close())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1')
  client.write('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(3))
  await arrived.promise
  // On Node 22, the later responses emit no event. Removing the listeners simulates this on newer versions.
  for (const res of responses) res.removeAllListeners('close')
  client.destroy()
  await Promise.all(responses.map(res => responseEnd(res).ended))
  expect(responses.map(res => responseEnd(res).hasEnded())).toEqual([true, true, true])
})
