// Tests the fields in log lines for requests and jobs.

import { Writable } from 'node:stream'
import { pino } from 'pino'
import { beforeAll, expect, test } from 'vitest'
import { logOptions } from '../../src/logging/log.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { merchantOf, simulate, until } from '../support/merchant.ts'

const lines: Record<string, unknown>[] = []
const output = new Writable({
  write(chunk, _, done) {
    lines.push(JSON.parse(String(chunk)))
    done()
  },
})

let demo: TestApp['demo']
let merchant: ReturnType<typeof merchantOf>
beforeAll(async () => {
  ;({ demo } = await testApp({ overrides: { log: pino(logOptions('debug'), output) } }))
  merchant = merchantOf(demo)
})

const lineOf = (requestId: string, msg = 'request') =>
  until(`the log has the line of request ${requestId}`, () =>
    lines.find(line => line.requestId === requestId && line.msg === msg),
  )

test("a request's log line contains the request ID, tenant ID, and payment ID", async () => {
  const { data: payment } = await merchant.create({})
  const ids = { tenantId: demo.client.tenant_id, paymentId: payment.id, paymentCode: payment.payment_code }
  const created = await until('the create request is logged', () =>
    lines.find(line => line.route === '/v1/payments/create' && line.paymentId === payment.id),
  )
  expect(created).toMatchObject({
    ...ids,
    status: 200,
    ms: expect.any(Number),
    providerMs: expect.any(Number),
  })
  for (const [path, method] of [
    ['', 'GET'],
    ['/timeline', 'GET'],
    ['/cancel', 'POST'],
  ] as const) {
    const requestId = `ask${path.replace('/', '-')}`
    await merchant.call(method, `/v1/payments/${payment.id}${path}`, {
      headers: { 'x-request-id': requestId },
    })
    expect(await lineOf(requestId)).toMatchObject(ids)
  }
})

test("a warning logged during a request has the same fields as the request's log line", async () => {
  const { headers } = await merchant.create({ customer_name: 'SANDBOX NOT JSON' })
  const warned = await lineOf(headers.get('x-request-id') as string, 'the provider did not accept the charge')
  expect(warned).toMatchObject({
    tenantId: demo.client.tenant_id,
    paymentId: expect.any(String),
    paymentCode: expect.any(String),
  })
})

test("an anonymous request's log line does not contain the previous request's tenant", async () => {
  await merchant.call('GET', '/v1/payments', { headers: { 'x-request-id': 'somebodys' } })
  await fetch(`${demo.base_url}/healthz`, { headers: { 'x-request-id': 'nobodys' } })
  expect(await lineOf('somebodys')).toHaveProperty('tenantId', demo.client.tenant_id)
  expect(await lineOf('nobodys')).not.toHaveProperty('tenantId')
})

test("a callback's log line names the callback and its provider", async () => {
  const { data: payment } = await merchant.create()
  await simulate(demo, payment, 'paid')
  const received = await until('the callback is logged', () =>
    lines.find(line => String(line.route).startsWith('/v1/callbacks/') && line.status === 200),
  )
  expect(received).toMatchObject({ provider: 'midtrans', callbackId: expect.any(String) })
})

test("a job's log line contains the job's name", async () => {
  const { data: payment } = await merchant.create()
  await simulate(demo, payment, 'paid')
  const done = await until('the job is logged', () =>
    lines.find(line => line.msg === 'job' && line.job === 'apply_callbacks'),
  )
  expect(done).toMatchObject({
    jobId: expect.stringMatching(/^\d+$/),
    outcome: 'done',
    ms: expect.any(Number),
  })
})
