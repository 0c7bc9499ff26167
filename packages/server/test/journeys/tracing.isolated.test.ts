// Tests the traces that an OpenTelemetry collector receives: each payment has one trace, from the merchant's request to
// the delivered webhook.

import { beforeAll, expect, test } from 'vitest'
import { startTracing } from '../../src/tracing/start-tracing.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { http, merchantOf, receiver, simulate, until } from '../support/merchant.ts'
import { type CollectedSpan, type Collector, startCollector } from '../support/trace-collector.ts'

const strangersTrace = '0af7651916cd43dd8448eb211c80319c'
const customer = 'Budi Pelanggan Rahasia'

let testing: TestApp
let collector: Collector
let payment: { id: string; payment_code: string }
let spans: CollectedSpan[]

beforeAll(async () => {
  collector = await startCollector()
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = collector.url
  const tracing = startTracing({ ratio: 1, role: 'all' })
  testing = await testApp()
  const hook = await receiver(testing.demo)
  const created = await merchantOf(testing.demo).call('POST', '/v1/payments/create', {
    body: {
      amount: 12_345_678_900,
      currency: 'IDR',
      method_type: 'virtual_account',
      method_detail: { type: 'virtual_account', bank: 'BCA' },
      customer_name: customer,
    },
    headers: {
      'x-idempotency-key': 'a-traced-payment',
      'x-request-id': 'a-traced-request',
      traceparent: `00-${strangersTrace}-b7ad6b7169203331-01`,
    },
  })
  payment = created.data
  await simulate(testing.demo, payment, 'paid')
  await until('the webhook of the payment arrives', () => hook.of(payment).length === 1)
  // Waits for the trace span of the SQL statement that records the delivery. The delivery becomes visible in the
  // database shortly before this span ends.
  await until('the span of the statement that records the delivery arrives', () =>
    collector.spans.some(({ name }) => name === 'delete from webhook_queue'),
  )
  // A job's span ends after the webhook is sent.
  await until('the spans of the jobs that processed the callbacks arrive', () => {
    const jobs = collector.spans.filter(isCallbackJob).map(job => job.traceId)
    const settled = collector.spans.filter(({ name }) => name === 'settle callback')
    return (
      settled.length > 0 && settled.every(({ links }) => links.every(link => jobs.includes(link.traceId)))
    )
  })
  expect(hook.hooks[0]?.headers).not.toHaveProperty('traceparent')
  hook.close()
  await tracing.stop()
  delete process.env.OTEL_EXPORTER_OTLP_ENDPOINT
  spans = collector.spans
})

/**
 * Jobs that apply a batch of callbacks or a single one. A callback that arrives before the response to its charge is
 * first in a batch, and then in a job of its own.
 */
const isCallbackJob = ({ name }: CollectedSpan) => /^job apply_callbacks?$/.test(name)

const attributesOf = (span: CollectedSpan | undefined): Record<string, unknown> =>
  Object.fromEntries(span?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [])
const isStatement = (span: CollectedSpan) => 'db.system.name' in attributesOf(span)
const traceOf = (traceId: string) => spans.filter(span => span.traceId === traceId)

type Tree = { [name: string]: Tree }

/** Returns a trace's spans as a tree in which spans with the same name are merged into one. */
function treeOf(trace: CollectedSpan[], parentSpanId?: string): Tree {
  const children = trace.filter(span => (span.parentSpanId || undefined) === parentSpanId)
  const names = [...new Set(children.map(span => span.name))].sort()
  return Object.fromEntries(
    names.map(name => [
      name,
      Object.assign(
        {},
        ...children.filter(span => span.name === name).map(span => treeOf(trace, span.spanId)),
      ) as Tree,
    ]),
  )
}

test('a payment’s ID is also its trace ID, and the trace contains every event of the payment', () => {
  const provider = new URL(testing.demo.sandbox_url).host
  const trace = traceOf(payment.id.replaceAll('-', ''))
  expect(treeOf(trace.filter(span => !isStatement(span)))).toEqual({
    'create payment': {
      'midtrans charge': { [`POST ${provider}`]: {} },
      'record pending': {},
      'record paid': {},
      'post credit': {},
      'settle callback': {},
      'webhook attempt': {},
    },
  })
  const statements = trace.filter(isStatement).map(span => span.name)
  for (const name of ['insert into payments', 'update payments', 'delete from webhook_queue'])
    expect(statements).toContain(name)
})

test('the traces of a payment and of its create request link to each other', () => {
  const request = spans.find(span => attributesOf(span)['gapura.request_id'] === 'a-traced-request')
  const root = traceOf(payment.id.replaceAll('-', '')).find(span => !span.parentSpanId)
  expect(request).toMatchObject({ name: 'POST /v1/payments/create', kind: 2 })
  expect(attributesOf(request)).toMatchObject({
    'http.route': '/v1/payments/create',
    'http.response.status_code': 200,
  })
  expect(request?.parentSpanId ?? '').toBe('')
  expect(request?.links.map(link => link.traceId).sort()).toEqual([strangersTrace, root?.traceId].sort())
  expect(root?.links).toMatchObject([{ traceId: request?.traceId, spanId: request?.spanId }])
  expect(traceOf(strangersTrace)).toEqual([])
})

test("trace links connect a callback's request, the job that applied it, and the payment's change", async () => {
  const settled = spans.find(
    span => span.name === 'settle callback' && attributesOf(span)['gapura.outcome'] === 'applied',
  )
  const { 'gapura.callback_id': id } = attributesOf(settled)
  const received = spans.find(span => span.kind === 2 && attributesOf(span)['gapura.callback_id'] === id)
  expect(received?.name).toMatch(/^POST \/v1\/callbacks\//)
  const jobs = spans.filter(isCallbackJob)
  expect(jobs.flatMap(job => job.links.map(link => link.traceId))).toContain(received?.traceId)
  // One job processes all waiting callbacks, so this callback may have been processed by another callback's job.
  expect(jobs.map(job => job.traceId)).toEqual(
    expect.arrayContaining(settled?.links.map(link => link.traceId) ?? []),
  )
  expect(settled?.links).toHaveLength(1)
})

test('a trace span contains no secrets, no request bodies, and no payer data', () => {
  const sent = collector.texts.join('\n')
  expect(sent).toContain(payment.id)
  const { client } = testing.demo
  for (const secret of [
    client.test_key,
    client.password,
    client.email,
    customer,
    'a-traced-payment',
    '12345678900',
  ])
    expect(sent).not.toContain(secret)
  const keys = new Set(spans.flatMap(span => span.attributes.map(({ key }) => key)))
  expect(
    [...keys].filter(
      key =>
        !/^(http\.(request\.method|response\.status_code|route)|server\.address|db\.system\.name|gapura\.\w+)$/.test(
          key,
        ),
    ),
  ).toEqual([])
})

test('no traces are sent if tracing is off', async () => {
  const sent = collector.texts.length
  expect((await merchantOf(testing.demo).create()).status).toBe(200)
  expect((await http('GET', `${testing.demo.base_url}/healthz`)).status).toBe(200)
  expect(collector.texts).toHaveLength(sent)
})
