// Tests GET /metrics over HTTP, as Prometheus reads it. Each test compares the values before and after an event.

import { once } from 'node:events'
import { METHODS, request } from 'node:http'
import fc from 'fast-check'
import { beforeAll, expect, test } from 'vitest'
import { operationsOf } from '../../src/http/rest.ts'
import { observeProcess } from '../../src/metrics/process-metrics.ts'
import { recordEvents } from '../../src/payments/record/record-event.ts'
import { appRouter } from '../../src/router.ts'
import { type TestApp, testApp } from '../support/app.ts'
import { merchantOf, receiver, simulate, until } from '../support/merchant.ts'

let testing: TestApp
let merchant: ReturnType<typeof merchantOf>

beforeAll(async () => {
  testing = await testApp()
  observeProcess(testing.app.metrics, 'all')
  merchant = merchantOf(testing.demo)
})

/** Reads the metrics. Returns each series' value by its name and labels, such as `name{label="value"}`. */
async function scrape(): Promise<Map<string, number>> {
  const text = await (await fetch(`${testing.demo.base_url}/metrics`)).text()
  const samples = text.split('\n').filter(line => line !== '' && !line.startsWith('#'))
  return new Map(
    samples.map(line => {
      const space = line.lastIndexOf(' ')
      return [line.slice(0, space), Number(line.slice(space + 1))]
    }),
  )
}

/** Returns the total increase across all series with the given name and labels. */
function rise(before: Map<string, number>, after: Map<string, number>, name: string, ...labels: string[]) {
  const sum = (samples: Map<string, number>) =>
    [...samples]
      .filter(([series]) => series.split('{')[0] === name && labels.every(label => series.includes(label)))
      .reduce((total, [, value]) => total + value, 0)
  return sum(after) - sum(before)
}

test('the metrics count each step of a payment, from its creation to its webhook', async () => {
  const hook = await receiver(testing.demo)
  const before = await scrape()
  const { data: payment } = await merchant.create()
  await simulate(testing.demo, payment, 'paid')
  await until('the webhook of the payment arrives', () => hook.of(payment).length === 1)
  const after = await until('the webhook attempt is counted', async () => {
    const samples = await scrape()
    return rise(before, samples, 'gapura_webhook_attempts_total', 'class="2xx"') > 0 && samples
  })
  hook.close()
  const rose = (name: string, ...labels: string[]) => rise(before, after, name, ...labels)

  const create = 'route="/v1/payments/create"'
  expect(rose('gapura_http_request_duration_seconds_count', 'method="POST"', create, 'status="2xx"')).toBe(1)
  const whole = rose('gapura_http_request_duration_seconds_sum', create)
  const own = rose('gapura_http_request_share_seconds_sum', create, 'share="own"')
  const provider = rose('gapura_http_request_share_seconds_sum', create, 'share="provider"')
  expect(own).toBeGreaterThan(0)
  expect(provider).toBeGreaterThan(0)
  expect(own + provider).toBeCloseTo(whole, 6)
  expect(rose('gapura_provider_requests_total', 'operation="charge"', 'outcome="answered"')).toBe(1)
  expect(rose('gapura_provider_request_duration_seconds_count', 'operation="charge"')).toBe(1)

  expect(rose('gapura_callbacks_received_total', 'outcome="kept"')).toBeGreaterThanOrEqual(1)
  expect(rose('gapura_callbacks_settled_total', 'outcome="applied"')).toBe(1)
  expect(rose('gapura_callback_settling_delay_seconds_count')).toBeGreaterThanOrEqual(1)
  expect(rose('gapura_payment_transitions_total', 'to="pending"', 'mode="test"')).toBe(1)
  expect(rose('gapura_payment_transitions_total', 'to="paid"', 'mode="test"')).toBe(1)
  expect(rose('gapura_ledger_entries_total', 'entry_type="credit"', 'mode="test"')).toBe(1)
  expect(
    rose('gapura_job_duration_seconds_count', 'task="apply_callbacks"', 'outcome="done"'),
  ).toBeGreaterThanOrEqual(1)
  expect(rose('gapura_job_duration_seconds_count', 'task="deliver_webhooks"')).toBe(1)
  expect(rose('gapura_webhook_attempts_total', 'class="2xx"')).toBe(1)
  expect(rose('gapura_webhook_attempt_duration_seconds_count')).toBe(1)
  expect(rose('gapura_webhook_first_attempt_delay_seconds_count')).toBe(1)
  expect(rose('gapura_batch_size_sum', 'batch="record_events"')).toBe(1)
  expect(rose('gapura_database_statement_duration_seconds_count', 'outcome="ok"')).toBeGreaterThan(5)
})

test('the metrics count webhook delivery attempts by their result', async () => {
  const answers = { '3xx': 302, '4xx': 404, '5xx': 503 } as const
  for (const [attemptClass, status] of Object.entries(answers)) {
    const hook = await receiver(testing.demo, () => status)
    const before = await scrape()
    await simulate(testing.demo, (await merchant.create()).data, 'paid')
    await until(`a delivery attempt is counted as ${attemptClass}`, async () =>
      rise(before, await scrape(), 'gapura_webhook_attempts_total', `class="${attemptClass}"`),
    )
    hook.close()
  }
  // The webhook receiver has stopped, so the delivery attempt cannot open a connection.
  const before = await scrape()
  await simulate(testing.demo, (await merchant.create()).data, 'paid')
  await until('an attempt failed because nothing listens', async () =>
    rise(before, await scrape(), 'gapura_webhook_attempts_total', 'class="connection"'),
  )
})

test('the metrics count callbacks with an invalid signature as rejected, and repeated callbacks as repeated', async () => {
  const { data: payment } = await merchant.create()
  const before = await scrape()
  await simulate(testing.demo, payment, 'paid', { bad_signature: true })
  await simulate(testing.demo, payment, 'paid', { copies: 3 })
  const received = async (outcome: string) =>
    rise(before, await scrape(), 'gapura_callbacks_received_total', `outcome="${outcome}"`)
  expect(await received('rejected')).toBe(1)
  // The sandbox may have sent further callbacks on its own, so the counted number of received callbacks can
  // be higher than 3.
  expect(await received('kept')).toBeGreaterThanOrEqual(3)
  await until('the repeated callbacks are processed', async () => {
    const settled = (outcome: string, samples: Map<string, number>) =>
      rise(before, samples, 'gapura_callbacks_settled_total', `outcome="${outcome}"`)
    const samples = await scrape()
    return settled('applied', samples) === 1 && settled('repeated', samples) >= 2
  })
})

test('the metrics do not count ledger entries from a rolled-back transaction', async () => {
  const { app } = testing
  const { data: payment } = await merchant.create()
  const before = await scrape()
  const report = { tenantId: testing.demo.client.tenant_id, paymentId: payment.id, cause: 'test' }
  const paid = {
    type: 'paid',
    amountPaid: 10_000_000n,
    paidAt: app.clock(),
    reference: payment.payment_code,
  } as const
  const rehearsal = app.db.transaction(async tx => {
    const [recorded] = await recordEvents(tx, [{ ...report, event: paid }], app.clock())
    expect(recorded?.kind).toBe('changed')
    throw new Error('taken back')
  })
  await expect(rehearsal).rejects.toThrow('taken back')
  const after = await scrape()
  expect(rise(before, after, 'gapura_ledger_entries_total')).toBe(0)
  expect(rise(before, after, 'gapura_payment_transitions_total')).toBe(0)
})

test('the metrics contain the number and age of payments with an unknown outcome, and the number of running workers', async () => {
  await merchant.create({ customer_name: 'SANDBOX NOT JSON' })
  // Repeats the request for the metrics, because the service caches the values that it reads from the
  // database for five seconds.
  const samples = await until('the metrics count the payment of unknown outcome', async () => {
    const now = await scrape()
    return now.get('gapura_payments_unknown') === 1 && now
  })
  expect(samples.get('gapura_payments_unknown_age_seconds')).toBeGreaterThan(0)
  expect(samples.get('gapura_workers_beating')).toBe(1)
  expect(samples.get('gapura_database_up')).toBe(1)
})

test("a client cannot create new series in the service's metrics by sending arbitrary paths and methods", async () => {
  const segment = fc.oneof(
    fc.constantFrom(
      'v1',
      'payments',
      'callbacks',
      'docs',
      'trpc',
      'midtrans',
      '..',
      '%2e%2e',
      '{}',
      '"',
      '%00',
      '%',
    ),
    fc.string({ maxLength: 12 }).map(encodeURIComponent),
    fc.uuid(),
  )
  const methods = METHODS.filter(method => method !== 'CONNECT')
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...methods), fc.array(segment, { maxLength: 6 }), (method, segments) =>
      rawRequest(method, `/${segments.join('/')}`),
    ),
    { numRuns: 300 },
  )
  expect([...(await scrape()).keys()].some(each => /gapura_http_failures_total.*NOT_FOUND/.test(each))).toBe(
    true,
  )
  const series = [...(await scrape()).keys()].filter(each => each.startsWith('gapura_http_'))
  const routes = new Set(series.map(each => / ?route="([^"]*)"/.exec(each)?.[1]))
  expect(routes.size).toBeGreaterThan(2)
  const known = new Set([...operationsOf(appRouter).keys(), ...otherRoutes])
  expect([...routes].filter(route => !known.has(route ?? ''))).toEqual([])
  const usedMethods = new Set(series.map(each => /method="([^"]*)"/.exec(each)?.[1] ?? 'GET'))
  expect(usedMethods).toContain('other')
  expect(
    [...usedMethods].filter(method => !/^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|other)$/.test(method ?? '')),
  ).toEqual([])
})

/** Routes that do not belong to an operation in the API document. */
const otherRoutes = [
  'none',
  '/',
  '/healthz',
  '/readyz',
  '/metrics',
  '/.well-known/jwks.json',
  '/trpc/*path',
  '/v1/callbacks/:provider_code/:provider_account_id{/*endpoint}',
  '/openapi.json',
  '/docs',
  '/docs/assets/:version/:name',
  '/docs/:slug',
  '/docs/*path',
]

/** Sends the path unchanged. fetch is not used, because it would normalize the path. */
async function rawRequest(method: string, path: string): Promise<void> {
  const { hostname, port } = new URL(testing.demo.base_url)
  const sent = request({ hostname, port, method, path, agent: false })
  sent.end()
  const [response] = await once(sent, 'response')
  response.resume()
  await once(response, 'end')
}
