import { expect, expectTypeOf, test } from 'vitest'
import { order } from '../test/order.ts'
import { aPayment, failure, ok, service } from '../test/service.ts'
import { type CreatePayment, Gapura, type Payment, TimeoutError, type WebhookEvent } from './index.ts'

const apiKey = 'gp_test_key'
test('payments.create sends the order with the API key and the idempotency key, and returns the payment', async () => {
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

test('every create call without an idempotency key gets a different generated key', async () => {
  const { baseUrl, asked } = await service(ok(aPayment))
  const gapura = new Gapura({ apiKey, baseUrl })
  await gapura.payments.create(order)
  await gapura.payments.create(order)
  const [first, second] = asked.map(each => each.headers['x-idempotency-key'])
  expect(first).toMatch(/^[\x21-\x7e]{1,255}$/)
  expect(second).not.toBe(first)
})

test('each client method sends the request for the operation with the same name', async () => {
  const { baseUrl, asked } = await service(ok([]))
  const gapura = new Gapura({ apiKey, baseUrl: `${baseUrl}/` })
  await gapura.payments.get('a/b')
  await gapura.payments.cancel('1')
  await gapura.payments.listLedger('1')
  await gapura.listActiveMethods()
  await gapura.account.getBalance()
  expect(asked.map(({ method, path }) => `${method} ${path}`)).toEqual([
    'GET /v1/payments/a%2Fb',
    'POST /v1/payments/1/cancel',
    'GET /v1/payments/1/ledger',
    'GET /v1/active-methods',
    'GET /v1/account/balance',
  ])
  expect(asked.every(each => each.headers.authorization === 'ApiKey gp_test_key')).toBe(true)
})

test('for a logged-in user, each SDK request sends the access token, which a function can provide', async () => {
  const { baseUrl, asked } = await service(ok({ items: [], next_cursor: null }))
  await new Gapura({ accessToken: 'one', baseUrl }).tenants.list()
  const tokens = ['two', 'three']
  const gapura = new Gapura({ accessToken: async () => tokens.shift() ?? 'none', baseUrl })
  await gapura.audit.list()
  await gapura.providers.list()
  expect(asked.map(each => each.headers.authorization)).toEqual(['Bearer one', 'Bearer two', 'Bearer three'])
})

test('login, refresh and logout send no credential and do not call the access token function', async () => {
  const { baseUrl, asked } = await service(ok({}))
  const accessToken = () => expect.unreachable()
  const { auth } = new Gapura({ accessToken, baseUrl })
  await auth.login({ email: 'budi@example.com', password: 'correct horse' })
  await auth.refresh('r1')
  await auth.logout('r2')
  expect(asked.map(({ path, body }) => [path, JSON.parse(body)])).toEqual([
    ['/v1/auth/login', { email: 'budi@example.com', password: 'correct horse' }],
    ['/v1/auth/refresh', { refresh_token: 'r1' }],
    ['/v1/auth/logout', { refresh_token: 'r2' }],
  ])
  expect(asked.every(each => each.headers.authorization === undefined)).toBe(true)
})

test('each management method of the SDK calls the API operation with the same name, and omits undefined filters', async () => {
  const { baseUrl, asked } = await service(ok({}))
  const gapura = new Gapura({ accessToken: 'token', baseUrl })
  await gapura.payments.list({ status: 'paid', q: 'budi & co', cursor: undefined })
  await gapura.payments.listTimeline('1')
  await gapura.payments.resolve('1', { decision: 'reject', reason: 'unknown' })
  await gapura.account.get()
  await gapura.ledger.list({ mode: 'test' })
  await gapura.account.listApiKeys()
  await gapura.webhookEndpoint.get()
  await gapura.webhookEndpoint.setUrl(null)
  await gapura.webhookEndpoint.rotateSecret()
  await gapura.webhookEndpoint.rotateSecret({ revoke_previous: true })
  await gapura.webhookEndpoint.sendTest()
  await gapura.webhookDeliveries.list({ status: 'pending' })
  await gapura.webhookDeliveries.get('2')
  await gapura.webhookDeliveries.redeliver('2')
  await gapura.tenants.get('t')
  await gapura.tenants.update('t', { status: 'suspended', name: undefined })
  await gapura.apiKeys.list('t')
  await gapura.apiKeys.create('t', { mode: 'test' })
  await gapura.apiKeys.rotate('t', 'k', { grace_minutes: 5 })
  await gapura.apiKeys.revoke('t', 'k')
  await gapura.users.list('t')
  await gapura.users.create('t', { email: 'a@example.com', password: 'correct horse' })
  await gapura.entitlements.get('t')
  await gapura.entitlements.set('t', [])
  await gapura.routingRules.get('t')
  await gapura.routingRules.set('t', [])
  await gapura.providers.listAccounts('midtrans')
  await gapura.providers.createAccount('midtrans', { mode: 'test', name: 'x', credentials: {} })
  await gapura.providers.updateAccount('midtrans', 'a', { enabled: false })
  await gapura.providerCallbacks.list({ status: 'unmatched' })
  await gapura.providerCallbacks.listRejected()
  await gapura.providerCallbacks.reprocess('c')
  await gapura.providerCallbacks.reprocess('c', { apply: true })
  await gapura.reports.payments({ group_by: 'day,status' })
  await gapura.reports.reconciliation({ date: '2026-11-20' })
  await gapura.settlements.list('midtrans', 'a', { limit: 5 })
  const json = (body: string) => (body === '' ? '' : ` ${body}`)
  expect(asked.map(({ method, path, body }) => `${method} ${path}${json(body)}`)).toEqual([
    'GET /v1/payments?status=paid&q=budi%20%26%20co',
    'GET /v1/payments/1/timeline',
    'POST /v1/payments/1/resolve {"decision":"reject","reason":"unknown"}',
    'GET /v1/account',
    'GET /v1/account/ledger?mode=test',
    'GET /v1/account/api-keys',
    'GET /v1/account/webhook',
    'PUT /v1/account/webhook {"callback_url":null}',
    'POST /v1/account/webhook/rotate-secret {}',
    'POST /v1/account/webhook/rotate-secret {"revoke_previous":true}',
    'POST /v1/account/webhook/test {}',
    'GET /v1/webhook-deliveries?status=pending',
    'GET /v1/webhook-deliveries/2',
    'POST /v1/webhook-deliveries/2/redeliver',
    'GET /v1/tenants/t',
    'PATCH /v1/tenants/t {"status":"suspended"}',
    'GET /v1/tenants/t/api-keys',
    'POST /v1/tenants/t/api-keys {"mode":"test"}',
    'POST /v1/tenants/t/api-keys/k/rotate {"grace_minutes":5}',
    'DELETE /v1/tenants/t/api-keys/k',
    'GET /v1/tenants/t/users',
    'POST /v1/tenants/t/users {"email":"a@example.com","password":"correct horse"}',
    'GET /v1/tenants/t/entitlements',
    'PUT /v1/tenants/t/entitlements {"items":[]}',
    'GET /v1/tenants/t/routing-rules',
    'PUT /v1/tenants/t/routing-rules {"items":[]}',
    'GET /v1/providers/midtrans/accounts',
    'POST /v1/providers/midtrans/accounts {"mode":"test","name":"x","credentials":{}}',
    'PATCH /v1/providers/midtrans/accounts/a {"enabled":false}',
    'GET /v1/provider-callbacks?status=unmatched',
    'GET /v1/provider-callbacks/rejected',
    'POST /v1/provider-callbacks/c/reprocess {"dry_run":true}',
    'POST /v1/provider-callbacks/c/reprocess {"dry_run":false}',
    'GET /v1/reports/payments?group_by=day%2Cstatus',
    'GET /v1/reports/reconciliation?date=2026-11-20',
    'GET /v1/providers/midtrans/accounts/a/settlements?limit=5',
  ])
})

test('the SDK returns a CSV report unchanged, including its byte order mark', async () => {
  const csv = '\ufeffday,count\r\n2026-11-20,2\r\n'
  const { baseUrl, asked } = await service(
    response => {
      response.writeHead(200, { 'content-type': 'text/csv; charset=utf-8' }).end(csv)
    },
    failure(400, 'BAD_REQUEST', 'bad request: group_by: must be of day, status'),
  )
  const { reports } = new Gapura({ accessToken: 'token', baseUrl })
  expect(await reports.paymentsCsv({ group_by: 'day' })).toBe(csv)
  expect(asked[0]?.headers.accept).toBe('text/csv')
  await expect(reports.paymentsCsv()).rejects.toMatchObject({ code: 'BAD_REQUEST', field: 'group_by' })
})

test('a client requires exactly one credential, and both the TypeScript compiler and the constructor check this', () => {
  const baseUrl = 'http://127.0.0.1:8080'
  // @ts-expect-error: a client accepts only one credential
  expect(() => new Gapura({ apiKey, accessToken: 'token', baseUrl })).toThrow('not both')
  expect(() => new Gapura({ baseUrl })).toThrow('apiKey: is required')
})

test('if an access token contains invalid characters, the error does not contain the token, and nothing is sent', async () => {
  const { baseUrl, asked } = await service(ok({}))
  expect(() => new Gapura({ accessToken: 'two words', baseUrl })).toThrow(/^accessToken(?!.*two)/)
  const call = new Gapura({ accessToken: () => 'two words', baseUrl }).tenants.list()
  await expect(call).rejects.toThrow(/^accessToken(?!.*two)/)
  expect(asked).toHaveLength(0)
})

test('the client uses a custom fetch function for every request', async () => {
  const urls: string[] = []
  const gapura = new Gapura({
    apiKey,
    baseUrl: 'https://pay.example.com/gapura',
    fetch: async url => {
      urls.push(url)
      return Response.json({ success: true, data: aPayment })
    },
  })
  expect(await gapura.payments.get(aPayment.id)).toEqual(aPayment)
  expect(urls).toEqual([`https://pay.example.com/gapura/v1/payments/${aPayment.id}`])
})

test('if a custom fetch function ignores its signal, a call still ends at its timeout', async () => {
  const gapura = new Gapura({
    apiKey,
    baseUrl: 'https://pay.example.com',
    timeoutMs: 20,
    maxRetries: 0,
    fetch: () => new Promise(() => {}),
  })
  await expect(gapura.account.getBalance()).rejects.toBeInstanceOf(TimeoutError)
})

test('an invalid API key causes an error before the SDK sends anything', () => {
  const baseUrl = 'http://127.0.0.1:8080'
  for (const wrong of ['', 'two words', 'gp_test_…', undefined as unknown as string]) {
    expect(() => new Gapura({ apiKey: wrong, baseUrl })).toThrow('apiKey')
  }
})

test('an idempotency key with characters that a header cannot contain causes a TypeError instead of a ConnectionError', async () => {
  const { baseUrl, asked } = await service(ok(aPayment))
  const create = new Gapura({ apiKey, baseUrl }).payments.create(order, { idempotencyKey: 'pesanan №1' })
  await expect(create).rejects.toBeInstanceOf(TypeError)
  expect(asked).toHaveLength(0)
})

test('a cancel request whose response was lost is retried and returns the cancelled payment', async () => {
  const cancelled = { ...aPayment, status: 'cancelled' }
  const { baseUrl, asked } = await service(
    failure(500, 'INTERNAL_ERROR', 'internal error: req-1'),
    failure(409, 'INVALID_STATE_TRANSITION', 'invalid state transition: from cancelled to cancelled'),
    ok(cancelled),
  )
  expect(await new Gapura({ apiKey, baseUrl }).payments.cancel(aPayment.id)).toEqual(cancelled)
  expect(asked.map(each => each.method)).toEqual(['POST', 'POST', 'GET'])
})

test('cancelling a payment that was paid or cancelled by another call is rejected', async () => {
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

const common = { amount: 100, currency: 'IDR' } as const
const va = { type: 'virtual_account', bank: 'BCA' } as const

test('the compiler rejects a method_type and a method_detail that do not match', () => {
  const bankless = { type: 'virtual_account' } as const
  const orders: CreatePayment[] = [
    // @ts-expect-error: this method_detail belongs to another method
    { ...common, method_type: 'qris', method_detail: va },
    // @ts-expect-error: a virtual account requires a bank
    { ...common, method_type: 'virtual_account', method_detail: bankless },
    // @ts-expect-error: QRIS has no bank
    { ...common, method_type: 'qris', method_detail: { type: 'qris', bank: 'BCA' } },
    // @ts-expect-error: payments cannot be created with this method yet, although the list of active methods can
    // include this method
    { ...common, method_type: 'cardless_credit', method_detail: va },
    { ...common, method_type: 'virtual_account', method_detail: va },
    { ...common, method_type: 'virtual_account', method_detail: va, customer_name: undefined },
  ]
  expect(orders).toHaveLength(6)
})

test('if method_detail belongs to another payment method, the compiler reports the line of the order', () => {
  const wrong = (gapura: Gapura) => [
    // @ts-expect-error: this method_detail belongs to another method
    gapura.payments.create({ ...common, method_type: 'qris', method_detail: va }),
    // @ts-expect-error: QRIS has no bank
    gapura.payments.create({ ...common, method_type: 'qris', method_detail: { type: 'qris', bank: 'BCA' } }),
    // @ts-expect-error: an e-wallet requires a wallet_type
    gapura.payments.create({ ...common, method_type: 'e_wallet', method_detail: { type: 'e_wallet' } }),
    // @ts-expect-error: the name of a field is mistyped
    gapura.payments.create({ ...common, method_type: 'qris', method_detail: { type: 'qris' }, nam: 'Budi' }),
    // @ts-expect-error: the only currency is IDR
    gapura.payments.create({ amount: 1, currency: 'USD', method_type: 'virtual_account', method_detail: va }),
    // @ts-expect-error: the amount is required
    gapura.payments.create({ currency: 'IDR', method_type: 'virtual_account', method_detail: va }),
  ]
  expect(wrong).toBeInstanceOf(Function)
})

test("a created payment's method_data has the type for its method, without a cast or narrowing", async () => {
  const { baseUrl } = await service(ok(aPayment))
  const { payments } = new Gapura({ apiKey, baseUrl })
  const payment = await payments.create({ ...common, method_type: 'virtual_account', method_detail: va })
  expectTypeOf(payment).toEqualTypeOf<Payment<'virtual_account'>>()
  expectTypeOf(payment.method_data.va_number).toEqualTypeOf<string>()
  expect(payment.method_data.va_number).toBe('812785002530231')
  // @ts-expect-error: a virtual account has no QR code
  expect(payment.method_data.qr_string).toBeUndefined()
  const qris = () => payments.create({ ...common, method_type: 'qris', method_detail: { type: 'qris' } })
  expectTypeOf(qris).returns.resolves.toEqualTypeOf<Payment<'qris'>>()
  const any = (order: CreatePayment) => payments.create(order)
  expectTypeOf(any).returns.resolves.toEqualTypeOf<Payment>()
  const either = (order: CreatePayment<'qris' | 'e_wallet'>) => payments.create(order)
  expectTypeOf(either).returns.resolves.toEqualTypeOf<Payment<'qris' | 'e_wallet'>>()
})

test("a check of a payment's method_type or method_data narrows its TypeScript type", () => {
  const byType = (payment: Payment) =>
    payment.method_type === 'virtual_account' ? payment.method_data.va_number : null
  expectTypeOf(byType).returns.toEqualTypeOf<string | null>()
  const byData = (payment: Payment) =>
    payment.method_data.type === 'virtual_account' ? payment.method_data.va_number : null
  expectTypeOf(byData).returns.toEqualTypeOf<string | null>()
  // @ts-expect-error: only virtual accounts have a va_number
  const unasked = (payment: Payment) => payment.method_data.va_number
  // @ts-expect-error: QRIS payments have no va_number
  const mistaken = (payment: Payment<'qris'>) => payment.method_data.va_number
  expect([byType(aPayment), byData(aPayment)]).toEqual(['812785002530231', '812785002530231'])
  expect(unasked).not.toBe(mistaken)
})

test("in lists, webhooks and results, checking a payment's method_type also narrows the payment's TypeScript type", () => {
  const listed = async (gapura: Gapura) => {
    for await (const payment of gapura.payments.list())
      if (payment.method_type === 'qris') return payment.method_data.qr_string
    return null
  }
  expectTypeOf(listed).returns.resolves.toEqualTypeOf<string | null>()
  const told = (event: WebhookEvent) =>
    event.type === 'payment.paid' && event.data.method_type === 'e_wallet'
      ? ([event.data.amount_paid, event.data.method_data.redirect_url] as const)
      : null
  expectTypeOf(told).returns.toEqualTypeOf<readonly [number, string] | null>()
  const { get, cancel, resolve } = new Gapura({ apiKey, baseUrl: 'http://127.0.0.1' }).payments
  expectTypeOf(get).returns.resolves.toEqualTypeOf<Payment>()
  expectTypeOf(cancel).returns.resolves.toEqualTypeOf<Payment>()
  expectTypeOf(resolve).returns.resolves.toEqualTypeOf<Payment>()
})
