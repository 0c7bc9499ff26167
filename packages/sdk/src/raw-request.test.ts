import { expect, test } from 'vitest'
import { failure, hangUp, ok, service } from '../test/service.ts'
import { ConflictError, Gapura } from './index.ts'

const client = (baseUrl: string, headers = {}) => new Gapura({ accessToken: 'token', baseUrl, headers })

test("gapura.request sends the given method, path, query, body and headers, and returns the response's data", async () => {
  const { baseUrl, asked } = await service(ok({ id: 't1' }))
  const query = { mode: 'test', limit: 5, cursor: undefined }
  const call = client(baseUrl).request('POST', '/v1/new-things', { query, body: { name: 'x' } })
  const { data, requestId } = await call.withResponse()
  expect({ data, requestId }).toEqual({ data: { id: 't1' }, requestId: 'req-1' })
  expect(asked).toMatchObject([
    {
      method: 'POST',
      path: '/v1/new-things?mode=test&limit=5',
      body: '{"name":"x"}',
      headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    },
  ])
})

test("gapura.request throws the error class for the response's error code", async () => {
  const { baseUrl } = await service(failure(409, 'CONFLICT', 'conflict: taken'))
  await expect(client(baseUrl).request('POST', '/v1/things')).rejects.toBeInstanceOf(ConflictError)
})

test('without a response, gapura.request retries only a GET or a request with an idempotency key', async () => {
  const { baseUrl, asked } = await service(hangUp, ok(1), hangUp, ok(2), hangUp)
  const gapura = client(baseUrl)
  expect(await gapura.request('GET', '/v1/things')).toBe(1)
  expect(await gapura.request('POST', '/v1/things', { idempotencyKey: 'k' })).toBe(2)
  expect(asked.map(({ headers }) => headers['x-idempotency-key'])).toEqual([undefined, undefined, 'k', 'k'])
  await expect(gapura.request('POST', '/v1/things')).rejects.toMatchObject({
    attempts: 1,
    outcomeUnknown: true,
  })
})

test.each([
  'v1/payments',
  '.evil.example',
  '//evil.example/v1',
  '/v1/../admin',
  '/v1/payments?limit=1',
  '/v1/pay ments',
])('gapura.request rejects the path %j and sends nothing', async path => {
  const { baseUrl, asked } = await service(ok({}))
  await expect(client(baseUrl).request('GET', path)).rejects.toThrow(
    'path: must be a path such as /v1/payments',
  )
  expect(asked).toHaveLength(0)
})

test("a client's or call's additional headers are sent, but cannot replace a header set by the SDK", async () => {
  const { baseUrl, asked } = await service(ok({}))
  const gapura = client(baseUrl, { 'X-Shop': 'a', 'X-Trace': 'client', Authorization: 'Basic x' })
  await gapura.tenants.create({ name: 'x' }, { headers: { 'x-trace': 'call', Accept: 'text/html' } })
  expect(asked[0]?.headers).toMatchObject({
    'x-shop': 'a',
    'x-trace': 'call',
    authorization: 'Bearer token',
    accept: 'application/json',
  })
})

test('toArray collects at most `limit` items and requests no unnecessary pages', async () => {
  const page = (items: number[], next_cursor: string | null) => ok({ items, next_cursor })
  const { baseUrl, asked } = await service(page([1, 2], 'a'), page([3, 4], 'b'), page([5], null))
  const gapura = client(baseUrl)
  expect(await gapura.tenants.list().toArray({ limit: 3 })).toEqual([1, 2, 3])
  expect(asked).toHaveLength(2)
  await expect(gapura.tenants.list().toArray({ limit: 0 })).rejects.toThrow(
    'limit: must be a positive integer',
  )
})
