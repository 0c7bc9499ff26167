// Checks that Prism, a proxy that validates responses, detects responses that differ from the OpenAPI
// document. Every operation is tested, because Prism silently accepts every response if it cannot compile a
// schema.

import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startPrism } from '../../packages/server/test/support/contract-global-setup.ts'
import { faultsOf } from '../../packages/server/test/support/violations.ts'

type Example = { success: true; data: unknown }
type Media = { example?: Example; examples?: Record<string, { value: Example }> }
type Operation = { operationId: string; responses: Record<string, { content: Record<string, Media> }> }

const document = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../openapi/openapi.json'), 'utf8'),
) as { paths: Record<string, Record<string, Operation>> }

const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => {
    const media = operation.responses['200']?.content['application/json']
    const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value
    if (!example) throw new Error(`${operation.operationId} has no example of its response`)
    return { name: operation.operationId, method: method.toUpperCase(), path, example }
  }),
)

/**
 * The stub server's response to every request. In this test, the stub server replaces the service behind the proxy.
 */
let planted = { status: 200, type: 'application/json', text: '' }
let service: Server
let prism: Awaited<ReturnType<typeof startPrism>>
let proxy: string

beforeAll(async () => {
  service = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(planted.status, { 'content-type': planted.type, 'x-request-id': '1' })
      response.end(planted.text)
    })
  })
  await new Promise<void>(resolve => service.listen(0, '127.0.0.1', resolve))
  prism = await startPrism()
  const upstream = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
  proxy = await (await fetch(`${prism.url}/?upstream=${encodeURIComponent(upstream)}`)).text()
})
afterAll(async () => {
  await prism?.stop()
  service?.close()
})

async function faults(answer: Partial<typeof planted>, method: string, path: string, init: RequestInit = {}) {
  planted = { status: 200, type: 'application/json', text: '', ...answer }
  const { status, headers } = await fetch(proxy + path.replace(/\{\w+\}/g, crypto.randomUUID()), {
    method,
    ...init,
  })
  expect(status).toBe(planted.status)
  return faultsOf(status, headers)
}

const ofAnswer = (all: string[]) => all.filter(fault => fault.startsWith('response'))

/** Returns the data of an example response. If the data is a list, returns its first item. */
function subjectOf({ data }: Example): Record<string, unknown> {
  const { items } = data as { items?: unknown[] }
  const [first = data] = Array.isArray(data) ? data : (items ?? [])
  return first as Record<string, unknown>
}

test.each(operations)(
  'for the operation $name, Prism detects a response that differs from the OpenAPI document',
  async operation => {
    const { method, path, example } = operation
    const answered = async (answer: object, status = 200) =>
      ofAnswer(await faults({ status, text: JSON.stringify(answer) }, method, path))
    expect(await answered(example)).toEqual([])

    const withMore = structuredClone(example)
    Object.assign(subjectOf(withMore), { undocumented: 1 })
    expect(await answered(withMore)).toContainEqual(expect.stringContaining('undocumented'))
    expect(await answered({ success: true })).toContainEqual(expect.stringMatching(/required.*'data'/))
    expect(await answered(example, 418)).toContainEqual(expect.stringContaining('status code'))
    expect(await answered(example, 202)).toContainEqual(expect.stringContaining('status code'))
  },
)

const payment = '/v1/payments/{payment_id}'
const of = (name: string) => operations.find(operation => operation.name === name)?.example as Example

test.each(['id', 'va_number'])('Prism detects that a payment in a response lacks %s', async field => {
  const example = structuredClone(of('getPayment'))
  const data = example.data as { method_data: Record<string, unknown> }
  for (const object of [data, data.method_data]) delete (object as Record<string, unknown>)[field]
  const found = ofAnswer(await faults({ text: JSON.stringify(example) }, 'GET', payment))
  expect(found).toContainEqual(expect.stringContaining(`'${field}'`))
})

test('Prism reports an error response with an undocumented code or an invalid envelope', async () => {
  const refused = (body: object) => faults({ status: 404, text: JSON.stringify(body) }, 'GET', payment)
  const error = { code: 'NOT_FOUND', message: 'not found: payment 1 not found' }
  expect(await refused({ success: false, error })).toEqual([])
  expect(await refused({ success: false })).not.toEqual([])
  expect(await refused({ success: false, error: { ...error, hint: 'look' } })).not.toEqual([])
  expect(await refused({ success: false, error: { ...error, code: 'GONE' } })).not.toEqual([])
})

test('Prism detects a response with an undocumented media type or without a JSON object', async () => {
  const text = JSON.stringify(of('getPayment'))
  expect(ofAnswer(await faults({ type: 'text/html', text }, 'GET', payment))).not.toEqual([])
  expect(ofAnswer(await faults({ text: '"paid"' }, 'GET', payment))).not.toEqual([])
})

test('the OpenAPI tool Prism reports an invalid request only if the service accepts it', async () => {
  const order = { amount: 0, currency: 'IDR', method_type: 'qris', method_detail: { type: 'qris' } }
  const sent = { headers: { 'content-type': 'application/json' }, body: JSON.stringify(order) }
  const create = '/v1/payments/create'
  const served = await faults({ text: JSON.stringify(of('createPayment')) }, 'POST', create, sent)
  expect(served.join('\n')).toMatch(/x-idempotency-key/)
  expect(served.join('\n')).toMatch(/body.*amount/)
  expect(served.join('\n')).toMatch(/Invalid security scheme/)
  const error = { code: 'BAD_REQUEST', message: 'bad request: amount: must be greater than zero' }
  const refusal = { status: 400, text: JSON.stringify({ success: false, error }) }
  expect(await faults(refusal, 'POST', create, sent)).toEqual([])
})
