import { beforeEach, expect, test, vi } from 'vitest'
import { type Answer, aPayment, failure, hangUp, ok, service } from '../test/service.ts'
import { Gapura, type LogFields } from './index.ts'

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0)
  return () => vi.restoreAllMocks()
})

type Line = { level: string; message: string; fields: LogFields }

async function logged(...answers: Answer[]) {
  const lines: Line[] = []
  const at = (level: string) => (message: string, fields: LogFields) => lines.push({ level, message, fields })
  const logger = { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
  const { baseUrl } = await service(...answers)
  const gapura = new Gapura({ apiKey: 'gp_test_secretkey', baseUrl, logger })
  return { gapura, lines }
}

test('the SDK logs one line per attempt, with the request, result, duration and reason for a retry', async () => {
  const { gapura, lines } = await logged(
    hangUp,
    failure(503, 'SERVICE_UNAVAILABLE', 'service unavailable', { 'retry-after': '0' }),
    ok(aPayment),
  )
  await gapura.payments.get('1')
  const asked = { method: 'GET', path: '/v1/payments/1', durationMs: expect.any(Number) }
  expect(lines).toEqual([
    {
      level: 'warn',
      message: 'GET /v1/payments/1: CONNECTION_FAILED, retrying',
      fields: {
        ...asked,
        attempt: 1,
        status: undefined,
        requestId: undefined,
        code: 'CONNECTION_FAILED',
        retryInMs: 0,
      },
    },
    {
      level: 'warn',
      message: 'GET /v1/payments/1: SERVICE_UNAVAILABLE, retrying',
      fields: {
        ...asked,
        attempt: 2,
        status: 503,
        requestId: 'req-1',
        code: 'SERVICE_UNAVAILABLE',
        retryInMs: 0,
      },
    },
    {
      level: 'debug',
      message: 'GET /v1/payments/1: 200',
      fields: { ...asked, attempt: 3, status: 200, requestId: 'req-1' },
    },
  ])
})

test.each([
  ['an error response', 'info', failure(404, 'NOT_FOUND', 'not found: payment 1 not found'), 'NOT_FOUND'],
  ['the last failure', 'error', failure(500, 'INTERNAL_ERROR', 'internal error: req-1'), 'INTERNAL_ERROR'],
  ['the last broken connection', 'error', hangUp, 'CONNECTION_FAILED'],
])('if the SDK does not retry a request, it logs %s at level %s', async (_, level, answer, code) => {
  const { gapura, lines } = await logged(answer)
  await gapura.payments.get('1', { maxRetries: 0 }).catch(() => {})
  expect(lines).toMatchObject([{ level, message: `GET /v1/payments/1: ${code}`, fields: { code } }])
  expect(lines[0]?.fields).not.toHaveProperty('retryInMs')
})

test('the SDK does not log an aborted call as a service failure', async () => {
  const { gapura, lines } = await logged(ok(aPayment))
  await gapura.payments.get('1', { signal: AbortSignal.abort() }).catch(() => {})
  expect(lines).toMatchObject([{ level: 'info', fields: { code: 'AbortError' } }])
})

test('SDK log lines never contain a credential, a body or a query', async () => {
  const { gapura, lines } = await logged(
    failure(400, 'BAD_REQUEST', 'bad request: customer_email: budi@example is no address'),
  )
  const order = {
    amount: 2_500_000,
    currency: 'IDR',
    method_type: 'qris',
    method_detail: { type: 'qris' },
    customer_email: 'budi@example',
  } as const
  await gapura.payments.create(order, { idempotencyKey: 'order-1' }).catch(() => {})
  await gapura.payments.list({ q: 'budi@example' }).catch(() => {})
  await gapura.auth.login({ email: 'budi@example', password: 'correct horse' }).catch(() => {})
  expect(lines).toHaveLength(3)
  const text = JSON.stringify(lines)
  for (const secret of ['secretkey', 'budi', 'correct horse', '2500000']) expect(text).not.toContain(secret)
})

test('an application can pass console as the logger of the SDK', () => {
  expect(new Gapura({ apiKey: 'gp_test_key', baseUrl: 'http://127.0.0.1', logger: console })).toBeDefined()
})

test("a logger that throws an error does not change an SDK call's result", async () => {
  const { baseUrl } = await service(hangUp, ok(aPayment))
  const fails = () => {
    throw new Error('the disk is full')
  }
  const logger = { debug: fails, info: fails, warn: fails, error: fails }
  const gapura = new Gapura({ apiKey: 'gp_test_key', baseUrl, logger })
  expect(await gapura.payments.get('1')).toEqual(aPayment)
})
