import { inspect } from 'node:util'
import { expect, onTestFinished, test, vi } from 'vitest'
import { order } from '../test/order.ts'
import { aPayment, failure, json, ok, service } from '../test/service.ts'
import { Gapura } from './index.ts'

const apiKey = 'gp_test_key'
test.each([null, '', ' order-1', 'order 1', 'pesanan-é', 'x'.repeat(256), 1001])(
  'the SDK rejects an idempotency key that HTTP cannot transmit unchanged, so that two orders never get the same key: %j',
  async wrong => {
    const { baseUrl, asked } = await service(ok(aPayment))
    const options = { idempotencyKey: wrong as string }
    const create = new Gapura({ apiKey, baseUrl }).payments.create(order, options)
    await expect(create).rejects.toThrow(/^idempotencyKey: /)
    expect(asked).toHaveLength(0)
  },
)

test.each([
  ['a string instead of the options', 'order-1001', '"order-1001"'],
  ['a number instead of the options', 1001, '1001'],
  ['an option with another name', { idempotency_key: 'order-1001' }, '"idempotency_key"'],
  ['a header', { headers: { 'x-idempotency-key': 'order-1001' } }, '"x-idempotency-key"'],
])(
  'a create call throws if an idempotency key is passed as %s, because the SDK would ignore it and send a generated key',
  async (_, options, named) => {
    const { baseUrl, asked } = await service(ok(aPayment))
    const { payments, refunds } = new Gapura({ apiKey, baseUrl })
    const message = `options: pass the idempotency key as { idempotencyKey } in the last parameter (got ${named})`
    await expect(payments.create(order, options as object)).rejects.toThrow(new TypeError(message))
    await expect(refunds.create('1', {}, options as object)).rejects.toThrow(new TypeError(message))
    expect(asked).toHaveLength(0)
  },
)

test.each(['idempotencyKey', 'idempotency_key'])(
  'a create call rejects an idempotency key in the body, because the service would ignore it: %s',
  async name => {
    const { baseUrl, asked } = await service(ok(aPayment))
    const { payments, refunds } = new Gapura({ apiKey, baseUrl })
    const key = { [name]: 'order-1001' }
    const message = `(got "${name}")`
    await expect(payments.create({ ...order, ...key })).rejects.toThrow(message)
    await expect(refunds.create('1', { amount: 100, ...key })).rejects.toThrow(message)
    expect(asked).toHaveLength(0)
  },
)

test.each([
  ['the body has a field idempotency_key', { idempotency_key: 'row-7' }, {}],
  ['the body has a field key', { key: 7 }, {}],
  ['a header is named Key', {}, { headers: { Key: 'trace-7' } }],
])(
  'a create call sends the idempotency key from the option idempotencyKey and no other, even if %s',
  async (_, fields, options) => {
    const { baseUrl, asked } = await service(ok(aPayment))
    const { payments, refunds } = new Gapura({ apiKey, baseUrl })
    const withKey = { ...options, idempotencyKey: 'order-1001' }
    await payments.create({ ...order, ...fields }, withKey)
    await refunds.create('1', { amount: 100, ...fields }, withKey)
    expect(asked.map(({ headers }) => headers['x-idempotency-key'])).toEqual(['order-1001', 'order-1001'])
  },
)

test('a create call ignores a misplaced idempotency key whose value is undefined', async () => {
  const { baseUrl, asked } = await service(ok(aPayment))
  const { payments, refunds } = new Gapura({ apiKey, baseUrl })
  const none = { idempotency_key: undefined }
  const options = { ...none, idempotencyKey: undefined, headers: { 'x-idempotency-key': undefined } }
  await payments.create({ ...order, ...none }, options)
  await refunds.create('1', { amount: 100, ...none }, options)
  expect(asked).toHaveLength(2)
})

test('without crypto.randomUUID, payments.create requires an idempotency key', async () => {
  const { baseUrl, asked } = await service(ok(aPayment))
  const { payments } = new Gapura({ apiKey, baseUrl })
  vi.stubGlobal('crypto', undefined)
  onTestFinished(() => void vi.unstubAllGlobals())
  await expect(payments.create(order)).rejects.toThrow(/^idempotencyKey: .*crypto\.randomUUID is missing/)
  expect(await payments.create(order, { idempotencyKey: 'order-1001' })).toEqual(aPayment)
  expect(asked).toHaveLength(1)
})

test('every attempt of payments.create sends the order as it was when the call started', async () => {
  const { baseUrl, asked } = await service(
    failure(500, 'INTERNAL_ERROR', 'internal error: req-1'),
    ok(aPayment),
  )
  const changing = { ...order, amount: 100 }
  const created = new Gapura({ apiKey, baseUrl }).payments.create(changing)
  changing.amount = 999
  await created
  expect(asked.map(({ body }) => JSON.parse(body).amount)).toEqual([100, 100])
})

test('all pages of a list use the original filters, even if the filter object changes later', async () => {
  const { baseUrl, asked } = await service(
    ok({ items: [aPayment], next_cursor: 'c1' }),
    ok({ items: [aPayment], next_cursor: null }),
  )
  const filter: { status: 'paid' | 'failed' } = { status: 'paid' }
  const payments = new Gapura({ apiKey, baseUrl }).payments.list(filter)
  filter.status = 'failed'
  for await (const _ of payments);
  expect(asked.map(({ path }) => path)).toEqual([
    '/v1/payments?status=paid',
    '/v1/payments?status=paid&cursor=c1',
  ])
})

test.each([301, 302, 303, 307, 308])(
  'the SDK does not follow a redirect with status %i, so no other host receives the order and the API key',
  async status => {
    const elsewhere = await service(ok(aPayment))
    const { baseUrl, asked } = await service(
      json(status, {}, { location: `${elsewhere.baseUrl}/v1/payments/1` }),
    )
    const { payments } = new Gapura({ apiKey, baseUrl })
    for (const call of [() => payments.create(order), () => payments.get('1')]) {
      const error = await call().catch(error => error)
      expect(error).toMatchObject({ code: 'UNEXPECTED_RESPONSE', status })
      expect(error.message).toBe(`${baseUrl} returned a redirect, which is not followed; check baseUrl`)
    }
    expect(asked).toHaveLength(2)
    expect(elsewhere.asked).toHaveLength(0)
  },
)

test('a baseUrl may have a path and trailing slashes', async () => {
  const { baseUrl, asked } = await service(ok(aPayment))
  for (const end of ['/', '/pay', '/pay//']) {
    await new Gapura({ apiKey, baseUrl: baseUrl + end }).payments.get('1')
  }
  expect(asked.map(({ path }) => path)).toEqual([
    '/v1/payments/1',
    '/pay/v1/payments/1',
    '/pay/v1/payments/1',
  ])
})

test.each([
  '',
  'localhost:8080',
  '127.0.0.1:8080',
  'pay.example.com',
  'http://budi:hunter2@',
  'ftp://127.0.0.1',
  'http://budi:hunter2@127.0.0.1',
  'http://127.0.0.1/?mode=test',
  'http://127.0.0.1/#v1',
])(
  'an invalid baseUrl is rejected when the client is created, and the error does not contain its password: %s',
  wrong => {
    let error: unknown
    try {
      new Gapura({ apiKey, baseUrl: wrong })
    } catch (caught) {
      error = caught
    }
    expect(error).toMatchObject({ message: expect.stringMatching(/^baseUrl: must be an http or https URL/) })
    expect(inspect(error)).not.toContain('hunter2')
  },
)
