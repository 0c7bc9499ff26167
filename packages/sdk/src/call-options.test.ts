import { getEventListeners } from 'node:events'
import { expect, test, vi } from 'vitest'
import { order } from '../test/order.ts'
import { aPayment, failure, hangUp, ok, service, stall } from '../test/service.ts'
import { type Fetch, Gapura, type GapuraOptions, TimeoutError } from './index.ts'

const client = (baseUrl: string, options: Partial<GapuraOptions> = {}) =>
  new Gapura({ apiKey: 'gp_test_key', baseUrl, ...options } as GapuraOptions)
const why = new Error('the shop closed')

test("an SDK call can override the client's timeout and retry settings", async () => {
  let tries = 0
  const fetch = () => {
    tries++
    return new Promise<Response>(() => {})
  }
  const gapura = client('https://pay.example.com', { timeoutMs: 600_000, maxRetries: 5, fetch })
  await expect(gapura.payments.get('1', { timeoutMs: 20, maxRetries: 0 })).rejects.toBeInstanceOf(
    TimeoutError,
  )
  expect(tries).toBe(1)
})

test('an SDK call with a timeout of Infinity never times out', async () => {
  const { baseUrl } = await service(ok(aPayment))
  const timers = vi.spyOn(globalThis, 'setTimeout')
  expect(await client(baseUrl).payments.get('1', { timeoutMs: Number.POSITIVE_INFINITY })).toEqual(aPayment)
  expect(timers.mock.calls.filter(([, ms]) => (ms ?? 0) > 2 ** 31 - 1)).toEqual([])
  timers.mockRestore()
})

test("if an SDK call's option is undefined, the call uses the client's setting instead", async () => {
  const { baseUrl, asked } = await service(hangUp)
  const gapura = client(baseUrl, { maxRetries: 0 })
  const undecided = { maxRetries: undefined, timeoutMs: undefined, signal: undefined }
  await expect(gapura.payments.get('1', undecided)).rejects.toMatchObject({ code: 'CONNECTION_FAILED' })
  expect(asked).toHaveLength(1)
})

test("an SDK call aborted before its response is complete rejects with the signal's reason and is not retried", async () => {
  const controller = new AbortController()
  const { baseUrl, asked } = await service((response, one) => {
    stall(response, one)
    controller.abort(why)
  })
  const create = client(baseUrl).payments.create(order, { signal: controller.signal })
  await expect(create).rejects.toBe(why)
  expect(asked).toHaveLength(1)
})

test('an aborted SDK call closes its connection', async () => {
  const controller = new AbortController()
  let closed = () => {}
  const ended = new Promise<void>(resolve => {
    closed = resolve
  })
  const { baseUrl } = await service((response, one) => {
    response.on('close', closed)
    stall(response, one)
    controller.abort(why)
  })
  await expect(client(baseUrl).payments.get('1', { signal: controller.signal })).rejects.toBe(why)
  await ended
})

test('an SDK call that times out closes its connection', async () => {
  const signals: (AbortSignal | null | undefined)[] = []
  const fetch: Fetch = (_, { signal }) => {
    signals.push(signal)
    return new Promise(() => {})
  }
  const gapura = client('https://pay.example.com', { timeoutMs: 20, maxRetries: 0, fetch })
  await expect(gapura.account.getBalance()).rejects.toBeInstanceOf(TimeoutError)
  expect(signals.map(signal => signal?.aborted)).toEqual([true])
})

test('an SDK call aborted between two attempts is not retried', async () => {
  const controller = new AbortController()
  const { baseUrl, asked } = await service(
    failure(503, 'SERVICE_UNAVAILABLE', 'service unavailable', { 'retry-after': '50' }),
  )
  const warn = () => queueMicrotask(() => controller.abort(why))
  const logger = { debug() {}, info() {}, error() {}, warn }
  await expect(client(baseUrl, { logger }).payments.get('1', { signal: controller.signal })).rejects.toBe(why)
  expect(asked).toHaveLength(1)
})

test('an SDK call aborted while the client waits for its access token ends without sending a request', async () => {
  const controller = new AbortController()
  const { baseUrl, asked } = await service(ok({}))
  const accessToken = () => {
    queueMicrotask(() => controller.abort(why))
    return new Promise<string>(() => {})
  }
  const call = new Gapura({ accessToken, baseUrl }).account.get({ signal: controller.signal })
  await expect(call).rejects.toBe(why)
  expect(asked).toHaveLength(0)
})

test('an aborted SDK call ends even if a custom fetch function ignores the signal', async () => {
  const controller = new AbortController()
  const fetch = () => {
    queueMicrotask(() => controller.abort(why))
    return new Promise<Response>(() => {})
  }
  const call = client('https://pay.example.com', { fetch }).account.getBalance(
    {},
    { signal: controller.signal },
  )
  await expect(call).rejects.toBe(why)
})

test('SDK calls that have ended leave no listeners on a long-lived abort signal', async () => {
  const { signal } = new AbortController()
  const { baseUrl } = await service(
    failure(503, 'SERVICE_UNAVAILABLE', 'service unavailable', { 'retry-after': '0' }),
    ok(aPayment),
  )
  const gapura = client(baseUrl)
  await gapura.payments.get('1', { signal })
  await gapura.payments.waitUntilPaid('1', { signal, timeoutMs: 20, pollMs: 1 }).catch(() => {})
  expect(getEventListeners(signal, 'abort')).toEqual([])
})

test("a list's later pages are requested with the same options as the first page", async () => {
  const controller = new AbortController()
  const { baseUrl, asked } = await service(ok({ items: [aPayment], next_cursor: 'more' }))
  const iterating = (async () => {
    for await (const _ of client(baseUrl).payments.list({}, { signal: controller.signal }))
      controller.abort(why)
  })()
  await expect(iterating).rejects.toBe(why)
  expect(asked).toHaveLength(1)
})

test('an ID that would change the request\'s path, such as "..", causes an error before anything is sent', async () => {
  const { baseUrl, asked } = await service(ok([]))
  const gapura = client(baseUrl)
  for (const id of ['', '.', '..', undefined as unknown as string]) {
    await expect(gapura.payments.get(id)).rejects.toThrow(/^payment_id: /)
  }
  expect(asked).toHaveLength(0)
})

test('an order that cannot be serialized as JSON causes a TypeError, not a ConnectionError', async () => {
  const { baseUrl, asked } = await service(ok(aPayment))
  const create = client(baseUrl).payments.create({ ...order, amount: 1n as unknown as number })
  await expect(create).rejects.toBeInstanceOf(TypeError)
  expect(asked).toHaveLength(0)
})

test('the SDK looks up the global fetch on each call, so an application can replace and trace it', async () => {
  const gapura = client('https://pay.example.com')
  const replaced = vi.fn(async () => Response.json({ success: true, data: aPayment }))
  vi.stubGlobal('fetch', replaced)
  expect(await gapura.payments.get('1')).toEqual(aPayment)
  vi.unstubAllGlobals()
  expect(replaced).toHaveBeenCalledTimes(1)
  // In browsers, fetch throws an error if it is called as a method of any object except the window.
  expect(replaced.mock.contexts).toEqual([undefined])
})
