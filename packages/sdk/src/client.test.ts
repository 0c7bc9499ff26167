import { expect, expectTypeOf, test } from 'vitest'
import { aPayment, failure, ok, service } from '../test/service.ts'
import { type CreatePayment, Gapura, type Payment, TimeoutError } from './index.ts'

const apiKey = 'gp_test_key'
const order: CreatePayment = {
  amount: 10_000_000,
  currency: 'IDR',
  method_type: 'virtual_account',
  method_detail: { type: 'virtual_account', bank: 'BCA' },
}

test('a create sends the order, the key and the idempotency key, and returns the bare payment', async () => {
  const { baseUrl, asked } = await service(ok(aPayment))
  const payment = await new Gapura({ apiKey, baseUrl }).payments.create(order, {
    idempotencyKey: 'order-1001',
  })
  expect(payment).toEqual(aPayment)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ method: 'POST', path: '/v1/payments/create' })
  expect(asked[0]?.headers).toMatchObject({
    authorization: 'ApiKey gp_test_key',
    'content-type': 'application/json',
    'x-idempotency-key': 'order-1001',
  })
  expect(JSON.parse(asked[0]?.body ?? '')).toEqual(order)
})

test('every create without an idempotency key gets one of its own', async () => {
  const { baseUrl, asked } = await service(ok(aPayment))
  const gapura = new Gapura({ apiKey, baseUrl })
  await gapura.payments.create(order)
  await gapura.payments.create(order)
  const [first, second] = asked.map(each => each.headers['x-idempotency-key'])
  expect(first).toMatch(/^[\x21-\x7e]{1,255}$/)
  expect(second).not.toBe(first)
})

test('each call asks for what it is named after', async () => {
  const { baseUrl, asked } = await service(ok([]))
  const gapura = new Gapura({ apiKey, baseUrl: `${baseUrl}/` })
  await gapura.payments.get('a/b')
  await gapura.payments.cancel('1')
  await gapura.payments.ledger('1')
  await gapura.activeMethods()
  await gapura.balance()
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/payments/a%2Fb',
    'POST /v1/payments/1/cancel',
    'GET /v1/payments/1/ledger',
    'GET /v1/active-methods',
    'GET /v1/account/balance',
  ])
  expect(asked.every(each => each.headers.authorization === 'ApiKey gp_test_key')).toBe(true)
})

test('a fetch of the caller is used', async () => {
  const urls: string[] = []
  const gapura = new Gapura({
    apiKey,
    baseUrl: 'https://pay.example.com/gapura',
    fetch: async request => {
      urls.push((request as Request).url)
      return Response.json({ success: true, data: aPayment })
    },
  })
  expect(await gapura.payments.get(aPayment.id)).toEqual(aPayment)
  expect(urls).toEqual([`https://pay.example.com/gapura/v1/payments/${aPayment.id}`])
})

test('a fetch that ignores its signal is given up all the same', async () => {
  const gapura = new Gapura({
    apiKey,
    baseUrl: 'https://pay.example.com',
    timeoutMs: 20,
    maxRetries: 0,
    fetch: () => new Promise(() => {}),
  })
  await expect(gapura.balance()).rejects.toBeInstanceOf(TimeoutError)
})

test('a key that cannot be one is refused before anything is sent', () => {
  const baseUrl = 'http://127.0.0.1:8080'
  for (const wrong of ['', 'two words', 'gp_test_…', undefined as unknown as string]) {
    expect(() => new Gapura({ apiKey: wrong, baseUrl })).toThrow('apiKey')
  }
  expect(() => new Gapura({ apiKey, baseUrl: '' })).toThrow(TypeError)
})

test('an idempotency key that fits no header is an error of the call and not of the network', async () => {
  const { baseUrl, asked } = await service(ok(aPayment))
  const create = new Gapura({ apiKey, baseUrl }).payments.create(order, { idempotencyKey: 'pesanan №1' })
  await expect(create).rejects.toBeInstanceOf(TypeError)
  expect(asked).toHaveLength(0)
})

test('a cancel whose answer was lost returns the payment that it cancelled', async () => {
  const cancelled = { ...aPayment, status: 'cancelled' }
  const { baseUrl, asked } = await service(
    failure(500, 'INTERNAL_ERROR', 'internal error: req-1'),
    failure(409, 'INVALID_STATE_TRANSITION', 'invalid state transition: from cancelled to cancelled'),
    ok(cancelled),
  )
  expect(await new Gapura({ apiKey, baseUrl }).payments.cancel(aPayment.id)).toEqual(cancelled)
  expect(asked.map(each => each.method)).toEqual(['POST', 'POST', 'GET'])
})

test('a cancel of what somebody else cancelled or paid is refused', async () => {
  const refusal = failure(409, 'INVALID_STATE_TRANSITION', 'invalid state transition: from paid to cancelled')
  const first = await service(refusal)
  await expect(new Gapura({ apiKey, baseUrl: first.baseUrl }).payments.cancel('1')).rejects.toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
  })
  expect(first.asked).toHaveLength(1)
  const repeated = await service(
    failure(503, 'SERVICE_UNAVAILABLE', 'service unavailable'),
    refusal,
    ok(aPayment),
  )
  await expect(new Gapura({ apiKey, baseUrl: repeated.baseUrl }).payments.cancel('1')).rejects.toMatchObject({
    code: 'INVALID_STATE_TRANSITION',
  })
})

test('method_type and method_detail that do not belong together do not compile', () => {
  const common = { amount: 100, currency: 'IDR' } as const
  const va = { type: 'virtual_account', bank: 'BCA' } as const
  const bankless = { type: 'virtual_account' } as const
  const orders: CreatePayment[] = [
    // @ts-expect-error: the detail of another method
    { ...common, method_type: 'qris', method_detail: va },
    // @ts-expect-error: a virtual account needs its bank
    { ...common, method_type: 'virtual_account', method_detail: bankless },
    // @ts-expect-error: QRIS has no bank
    { ...common, method_type: 'qris', method_detail: { type: 'qris', bank: 'BCA' } },
    // @ts-expect-error: active methods list it, but it cannot be created
    { ...common, method_type: 'cardless_credit', method_detail: va },
    { ...common, method_type: 'virtual_account', method_detail: va },
  ]
  expect(orders).toHaveLength(5)
})

test('the type of method_data tells what is in it without a cast', () => {
  const numberOf = (payment: Payment) =>
    payment.method_data.type === 'virtual_account' ? payment.method_data.va_number : null
  expectTypeOf(numberOf).returns.toEqualTypeOf<string | null>()
  // @ts-expect-error: not every payment has a va_number
  const unasked = (payment: Payment) => payment.method_data.va_number
  expect(numberOf(aPayment)).toBe('812785002530231')
  expect(unasked(aPayment)).toBe('812785002530231')
})
