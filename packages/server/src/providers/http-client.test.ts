import type { ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import { fakeServer } from '../../test/support/fake-server.ts'
import { createProviderClient, PROVIDER_TIMEOUT_MS, type Purpose, requestProvider } from './http-client.ts'
import { ProviderError } from './provider.ts'

const server = await fakeServer()

test("every request to a provider has this service's name and version in User-Agent", async () => {
  server.answers(response => response.end('{}'))
  await requestProvider('inquiry', server.url, { authorization: 'Basic abc' })
  await requestProvider('charge', server.url, {}, '{}')
  for (const { headers } of server.received) expect(headers['user-agent']).toMatch(/^Gapura\/\d+\.\d+\.\d+$/)
  expect(server.received).toHaveLength(2)
})

test.each<[hanging: Purpose, other: Purpose, title: string]>([
  ['charge', 'inquiry', 'while all connections for charges hang, inquiries by POST and by GET get responses'],
  ['inquiry', 'charge', 'while all connections for inquiries hang, charges by POST and by GET get responses'],
])('$2', async (hanging, other) => {
  const held: ServerResponse[] = []
  server.answers((response, { url }) => (url === '/hangs' ? held.push(response) : response.end('{"well":1}')))
  const request = createProviderClient({ charge: 2, inquiry: 2 })
  const waiting = Array.from({ length: 4 }, () => request(hanging, `${server.url}/hangs`, {}, '{}'))
  await vi.waitFor(() => expect(held).toHaveLength(2), 120_000)

  const well = { status: 200, json: { well: 1 } }
  expect(await request(other, server.url, {}, '{}')).toEqual(well)
  expect(await request(other, server.url, {})).toEqual(well)
  expect(server.received.map(({ method }) => method)).toEqual(['POST', 'POST', 'POST', 'GET'])

  // The two hanging requests occupy both connections for their purpose (charges or inquiries), so the other two
  // requests still wait.
  expect(held).toHaveLength(2)
  server.answers(response => response.end())
  for (const response of held) response.end()
  await Promise.all(waiting)
})

test('a request that times out while waiting for a connection is never sent', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const isHanging = Promise.withResolvers<void>()
  server.answers(() => isHanging.resolve())
  const request = createProviderClient({ charge: 1, inquiry: 1 })
  const results = Promise.allSettled(
    ['/hangs', '/waits'].map(path => request('charge', `${server.url}${path}`, {}, '{}')),
  )
  await isHanging.promise
  vi.advanceTimersByTime(PROVIDER_TIMEOUT_MS)
  vi.useRealTimers()
  const timedOut = {
    status: 'rejected',
    reason: new ProviderError('unknown', 'no answer within 10 s'),
  }
  expect(await results).toEqual([timedOut, timedOut])

  // The second request timed out while it was waiting for the only connection. The next request gets this
  // connection.
  server.answers(response => response.end('{}'))
  await request('charge', `${server.url}/next`, {}, '{}')
  expect(server.received.map(({ url }) => url)).toEqual(['/hangs', '/next'])
})

test("if a response is larger than one mebibyte, the request's outcome is unknown", async () => {
  server.answers(response => response.end(Buffer.alloc(1024 * 1024 + 1, 32)))
  await expect(requestProvider('charge', server.url, {}, '{}')).rejects.toEqual(
    new ProviderError('unknown', 'its response is too large'),
  )
})

test("an informational response before a provider's final response is ignored", async () => {
  server.answers(response => {
    response.writeEarlyHints({ link: '</terms>; rel=preload' })
    response.writeHead(201).end('{"well":1}')
  })
  expect(await requestProvider('charge', server.url, {}, '{}')).toEqual({ status: 201, json: { well: 1 } })
})

test("a charge's outcome is unknown if an open connection breaks, but not if no connection was opened", async () => {
  await expect(requestProvider('charge', 'http://127.0.0.1:1', {}, '{}')).rejects.toMatchObject({
    kind: 'unavailable',
    message: 'could not be reached',
  })
  server.answers(response =>
    response.writeHead(200, { 'content-length': 9 }).write('{', () => response.destroy()),
  )
  await expect(requestProvider('charge', server.url, {}, '{}')).rejects.toMatchObject({
    kind: 'unknown',
    message: 'the connection broke',
  })
})
