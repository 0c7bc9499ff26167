import type { ServerResponse } from 'node:http'
import { expect, test, vi } from 'vitest'
import { fakeServer } from '../../test/support/fake-server.ts'
import { createProviderClient, type Purpose, requestProvider } from './http-client.ts'

const server = await fakeServer()

test('every request to a provider has the name and version of this service in User-Agent', async () => {
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

  // Each of the two waiting requests uses up the pool of its purpose.
  expect(held).toHaveLength(2)
  server.answers(response => response.end())
  for (const response of held) response.end()
  await Promise.all(waiting)
})
