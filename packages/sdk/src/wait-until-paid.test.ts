import { expect, expectTypeOf, test, vi } from 'vitest'
import { type Answer, aPayment, breakOff, failure, ok, service } from '../test/service.ts'
import {
  type Fetch,
  Gapura,
  type GapuraOptions,
  type PaidPayment,
  PaymentNotPaidError,
  TimeoutError,
} from './index.ts'

const paid = {
  ...aPayment,
  status: 'paid',
  paid_at: '2026-11-20T03:14:05.678Z',
  amount_paid: 10_000_000,
}
const challenged = { ...aPayment, status: 'challenged' }

async function waiting(...answers: Answer[]) {
  const { baseUrl, asked } = await service(...answers)
  const gapura = new Gapura({ apiKey: 'gp_test_key', baseUrl, maxRetries: 0 })
  return { payments: gapura.payments, asked }
}

test('waitUntilPaid polls until the payment is paid, even if the provider first holds it for a fraud check', async () => {
  const { payments, asked } = await waiting(ok(aPayment), ok(challenged), ok(aPayment), ok(paid))
  const payment = await payments.waitUntilPaid(aPayment.id, { pollMs: 1 })
  expect(payment).toEqual(paid)
  expectTypeOf(payment).toEqualTypeOf<PaidPayment>()
  expectTypeOf(payment.amount_paid).toEqualTypeOf<number>()
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual(
    Array(4).fill(`GET /v1/payments/${aPayment.id}`),
  )
})

test.each(['failed', 'expired', 'cancelled'])(
  "waitUntilPaid throws an error that contains the payment if the payment's status is %s",
  async status => {
    const ended = { ...aPayment, status, failure_reason: 'the bank said no' }
    const { payments, asked } = await waiting(ok(aPayment), ok(ended))
    const error = await payments.waitUntilPaid('1', { pollMs: 1 }).catch(error => error)
    expect(error).toBeInstanceOf(PaymentNotPaidError)
    expect(error).toMatchObject({ code: 'PAYMENT_NOT_PAID', payment: ended })
    expect(error.message).toBe(`payment GP261120-7Q4M2ZK8XW is ${status}: the bank said no`)
    expect(asked).toHaveLength(2)
  },
)

test('waitUntilPaid keeps polling after temporary errors, even if all retries of one poll fail', async () => {
  const { payments } = await waiting(
    breakOff,
    failure(503, 'SERVICE_UNAVAILABLE', 'service unavailable: stopping', { 'retry-after': '0' }),
    failure(500, 'INTERNAL_ERROR', 'internal error: req-1'),
    ok(paid),
  )
  expect(await payments.waitUntilPaid('1', { pollMs: 1 })).toEqual(paid)
})

test('waitUntilPaid throws a permanent error, such as an unknown payment, without a retry', async () => {
  const { payments, asked } = await waiting(failure(404, 'NOT_FOUND', 'not found: payment 1 not found'))
  await expect(payments.waitUntilPaid('1', { pollMs: 1 })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  expect(asked).toHaveLength(1)
})

/**
 * Polls with a fake fetch that does not use the network, so that even a short timeout leaves enough time for
 * a poll.
 */
const waitFor = (timeoutMs: number, fetch: Fetch, options: Partial<GapuraOptions> = {}) => {
  const settings = { apiKey: 'gp_test_key', baseUrl: 'http://127.0.0.1:1', fetch, maxRetries: 0, ...options }
  return new Gapura(settings as GapuraOptions).payments
    .waitUntilPaid('1', { timeoutMs, pollMs: 1 })
    .catch(error => error)
}

test('the timeout error of waitUntilPaid contains the last status and says that a payment is still possible', async () => {
  const error = await waitFor(200, async () => Response.json({ success: true, data: challenged }))
  expect(error).toBeInstanceOf(TimeoutError)
  expect(error.message).toBe(
    'payment GP261120-7Q4M2ZK8XW is still challenged after 200 ms; it may still be paid',
  )
})

test('if no poll succeeded, the timeout error of waitUntilPaid gives the reason', async () => {
  const error = await waitFor(200, () => Promise.reject(new TypeError('fetch failed')))
  expect(error).toBeInstanceOf(TimeoutError)
  expect(error.message).toBe('payment 1 could not be read within 200 ms; it may still be paid')
  expect(error.cause).toMatchObject({ code: 'CONNECTION_FAILED' })
})

test('when waitUntilPaid times out, it aborts a pending poll and does not retry it', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  const lines: string[] = []
  const told = (level: string) => () => lines.push(level)
  const logger = { debug: told('debug'), info: told('info'), warn: told('warn'), error: told('error') }
  const hanging: Fetch = (_, { signal }) => {
    signals.push(signal)
    return new Promise(() => {})
  }
  expect(await waitFor(20, hanging, { maxRetries: 2, logger })).toBeInstanceOf(TimeoutError)
  await vi.waitFor(() => expect(lines).toEqual(['error']), 120_000)
  expect(signals.map(signal => signal?.aborted)).toEqual([true])
})

test("an aborted waitUntilPaid rejects with the signal's reason and stops polling", async () => {
  const why = new Error('the shop closed')
  const controller = new AbortController()
  const { payments, asked } = await waiting((response, one) => {
    ok(aPayment)(response, one)
    response.on('close', () => controller.abort(why))
  })
  await expect(payments.waitUntilPaid('1', { pollMs: 60_000, signal: controller.signal })).rejects.toBe(why)
  expect(asked).toHaveLength(1)
})

test('if Retry-After is longer than any timer, waitUntilPaid does not poll again at once', async () => {
  let looks = 0
  const fetch = async () => {
    looks++
    return new Response('', { status: 503, headers: { 'retry-after': '2592000' } })
  }
  expect(await waitFor(200, fetch)).toBeInstanceOf(TimeoutError)
  expect(looks).toBe(1)
})

test('waitUntilPaid polls every pollMs on average, or less often if the service sends Retry-After', async () => {
  const waits: number[] = []
  const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((act: () => void, ms: number) => {
    // Timers of 10 s or more are the timeouts of waitUntilPaid and its requests. In these tests, they never fire.
    if (ms < 10_000) {
      waits.push(ms)
      queueMicrotask(act)
    }
    return 0
  }) as typeof setTimeout)
  const answers = [
    Response.json({ success: true, data: aPayment }),
    Response.json(
      { success: false, error: { code: 'RATE_LIMITED', message: 'rate limited: slow down' } },
      { status: 429, headers: { 'retry-after': '5' } },
    ),
    Response.json({ success: true, data: aPayment }),
    Response.json({ success: true, data: paid }),
  ]
  const fetch = async () => answers.shift() as Response
  const gapura = new Gapura({ apiKey: 'gp_test_key', baseUrl: 'http://127.0.0.1:1', fetch, maxRetries: 0 })
  const drawn = vi.spyOn(Math, 'random').mockReturnValueOnce(0).mockReturnValueOnce(0.5).mockReturnValue(1)
  await gapura.payments.waitUntilPaid('1')
  timers.mockRestore()
  drawn.mockRestore()
  expect(waits).toEqual([1_000, 7_000, 3_000])
})
