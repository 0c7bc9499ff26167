// Tests the contract run, in which requests go through the proxy Prism (contract-proxy.ts): the requests must
// reach the service, and a test that gets an undocumented response must fail.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { http } from './merchant.ts'

/** `planted` is the response that the fake service sends next. `heard` is the last request that it received. */
let planted = { status: 200, body: '' }
let heard = { url: '', type: '', body: Buffer.of() }
let base: string

const service = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  heard = {
    url: request.url ?? '',
    type: request.headers['content-type'] ?? '',
    body: Buffer.concat(chunks),
  }
  response.writeHead(planted.status, { 'content-type': 'application/json', 'x-request-id': '1' })
  response.end(planted.body)
})

beforeAll(async () => {
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
  base = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
})
afterAll(() => {
  service.close()
})

const plant = (status: number, body: object) => {
  planted = { status, body: JSON.stringify(body) }
}
const refuse = () =>
  plant(400, { success: false, error: { code: 'BAD_REQUEST', message: 'bad request: amount: must be one' } })

test.each([
  ['has an undocumented field', 200, { success: true, data: { providers: [], more: 1 } }],
  ['lacks a field', 200, { success: true, data: {} }],
  ['has an undocumented status', 202, { success: true, data: { providers: [] } }],
  ['is an error without a code and a message', 401, { success: false }],
])('a response that %s fails the test run', async (_, status, body) => {
  plant(status, body)
  await expect(http('GET', `${base}/v1/active-methods`, { auth: 'ApiKey x' })).rejects.toThrow(
    `GET /v1/active-methods (status ${status}) does not match the API document`,
  )
})

test('an undocumented request fails the test run only if the service accepts it', async () => {
  plant(200, { success: true, data: { requested: true } })
  const ask = () => http('POST', `${base}/v1/auth/password-reset/request`, { body: { tenant_id: 1 } })
  await expect(ask()).rejects.toThrow(/status 200\) does not match the API document:\n.*request\.body/s)
  refuse()
  expect((await ask()).status).toBe(400)
})

test.each([
  ['/v1/payments/create', 'application/json', '{"amount":'],
  ['/v1/payments/create', 'application/json; charset=utf-8', '[[['],
  ['/v1/payments/create', 'application/json', '"text"'],
  ['/v1/payments/create', 'application/json', 'null'],
  ['/v1/payments/create', 'application/json', '0'],
  ['/v1/payments/create', 'x', 'a=b'],
  ['/v1/payments/create', 'text/plain', Buffer.from([0x7b, 0xff, 0x7d])],
  ['/v1/payments/%ff/cancel', 'application/json', '{"a":1}'],
  ['/v1/callbacks/midtrans/1', 'application/json', '{ "signed" :  1.0 }'],
  ['/v1/payments/a%2Fb/cancel?x=%C3%A9', 'text/csv', 'a,b\r\n1,é\r\n'],
])(
  'in the contract run, the service receives a request to %s with the content type %s exactly as it was sent: %s',
  async (path, type, raw) => {
    refuse()
    await http('POST', base + path, { raw, headers: { 'content-type': type } }).catch(() => undefined)
    expect(heard).toEqual({ url: path, type, body: Buffer.from(raw) })
  },
)
