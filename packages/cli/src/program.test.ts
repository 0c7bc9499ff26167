import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { aPayment, createFields, failure, ok, service } from '../test/service.ts'

const gapura = (env: Record<string, string>, ...args: string[]) => newHome().gapura(args, { env })
const withKey = (baseUrl: string) => ({ GAPURA_API_KEY: 'gp_test_key', GAPURA_BASE_URL: baseUrl })

const book = { id: 'sku-1', name: 'Book', price: 10_000_000, quantity: 1 }

test('payments create sends every order field and shows the payment instructions', async () => {
  const { baseUrl, asked } = await service(() => ok(aPayment))
  const { exitCode, stdout, stderr } = await gapura(
    withKey(baseUrl),
    ...['payments', 'create', '--rupiah', '100000', '--method', 'virtual_account', '--channel', 'BCA'],
    ...['--customer-name', 'Budi Santoso', '--customer-email', 'budi@example.com'],
    ...['--customer-phone', '081234567890', '--expiry-minutes', '30', '--idempotency-key', 'order-1001'],
    ...['--return-url', 'https://shop.example.com/orders/1001', '--customer-ip', '203.0.113.25'],
    ...['--items', JSON.stringify([book])],
  )
  expect(stderr).toBe('')
  expect(exitCode).toBe(0)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ method: 'POST', path: '/v1/payments/create' })
  expect(asked[0]?.headers).toMatchObject({
    authorization: 'ApiKey gp_test_key',
    'x-idempotency-key': 'order-1001',
  })
  expect(asked[0]?.body).toEqual({
    amount: 10_000_000,
    currency: 'IDR',
    method_type: 'virtual_account',
    method_detail: { type: 'virtual_account', bank: 'BCA' },
    customer_name: 'Budi Santoso',
    customer_email: 'budi@example.com',
    customer_phone: '081234567890',
    expiry_minutes: 30,
    return_url: 'https://shop.example.com/orders/1001',
    customer_ip: '203.0.113.25',
    items: [book],
  })
  // This assertion fails if the API accepts a field for which `gapura payments create` has no option.
  expect(Object.keys(asked[0]?.body ?? {}).sort()).toEqual(createFields())
  expect(stdout).toMatch(/^Rp 100\.000 is pending, to be paid by 20 Nov 2026, 11:04 GMT\+7$/m)
  expect(stdout).toMatch(/^ {2}812785002530231$/m)
  expect(stdout).toMatch(/^Code +GP261120-7Q4M2ZK8XW$/m)
})

test.each([
  ['e_wallet', ['--channel', 'GOPAY'], { type: 'e_wallet', wallet_type: 'GOPAY' }],
  ['over_the_counter', ['--channel', 'ALFAMART'], { type: 'over_the_counter', store: 'ALFAMART' }],
  ['qris', [], { type: 'qris' }],
])(
  'for the method %s, --channel is sent in the field that the service expects',
  async (method, channel, detail) => {
    const { baseUrl, asked } = await service(() => ok(aPayment))
    await gapura(
      withKey(baseUrl),
      'payments',
      'create',
      '--amount',
      '2500000',
      '--method',
      method,
      ...channel,
    )
    expect(asked[0]?.body).toEqual({
      amount: 2_500_000,
      currency: 'IDR',
      method_type: method,
      method_detail: detail,
    })
  },
)

test.each(['Book', '{"id":"sku-1"}'])(
  'payments create rejects the invalid value %s for --items with an error, and sends no request',
  async items => {
    const { baseUrl, asked } = await service(() => ok(aPayment))
    const args = ['payments', 'create', '--rupiah', '100000', '--method', 'qris', '--items', items]
    const { exitCode, stderr } = await gapura(withKey(baseUrl), ...args)
    expect(stderr).toContain('It must be a JSON array')
    expect([exitCode, asked.length]).toEqual([2, 0])
  },
)

test('the service’s error about one order item is shown as an error for the option --items', async () => {
  const told = 'bad request: items.0.price: must be 0 or more'
  const { baseUrl } = await service(() => failure(400, 'BAD_REQUEST', told))
  const args = ['payments', 'create', '--rupiah', '100000', '--method', 'qris', '--items', '[{"price":-1}]']
  const { stderr } = await gapura(withKey(baseUrl), ...args)
  expect(stderr).toBe(`gapura: ${told}; correct --items\n`)
})

test('payments get --json prints only the payment', async () => {
  const { baseUrl, asked } = await service(() => ok(aPayment))
  const { stdout, stderr } = await gapura(withKey(baseUrl), 'payments', 'get', aPayment.id, '--json')
  expect(JSON.parse(stdout)).toEqual(aPayment)
  expect(stderr).toBe('')
  expect(asked[0]).toMatchObject({ method: 'GET', path: `/v1/payments/${aPayment.id}` })
})

test('gapura payments cancel cancels a payment and prints it, but without payment instructions for the payer', async () => {
  const { baseUrl, asked } = await service(() => ok({ ...aPayment, status: 'cancelled' }))
  const { exitCode, stdout } = await gapura(withKey(baseUrl), 'payments', 'cancel', aPayment.id)
  expect(exitCode).toBe(0)
  expect(asked[0]).toMatchObject({ method: 'POST', path: `/v1/payments/${aPayment.id}/cancel` })
  expect(stdout).toContain('Rp 100.000 is cancelled\n')
  // A payment that can no longer be paid must not show payment instructions.
  expect(stdout).not.toContain('812785002530231')
})

test("control characters in a customer's name can neither control the terminal nor start a new line", async () => {
  const { baseUrl } = await service(() =>
    ok({ ...aPayment, customer_name: '\x1b[31mBudi\nCode  GP-FALSE\x07' }),
  )
  const { stdout } = await gapura(withKey(baseUrl), 'payments', 'get', aPayment.id)
  expect(stdout).toMatch(/^Customer +Budi Code {2}GP-FALSE/m)
  expect(stdout).not.toMatch(/[^\P{Cc}\n]/u)
})

test.each([
  ['no amount', ['--method', 'qris'], '--amount'],
  ['two amounts', ['--method', 'qris', '--amount', '100', '--rupiah', '1'], '--rupiah'],
  ['an amount with a thousands separator', ['--method', 'qris', '--rupiah', '100.000'], 'whole number'],
  ['a negative amount', ['--method', 'qris', '--amount', '-100'], '--amount'],
  ['no method', ['--amount', '100'], '--method'],
  ['an unknown method', ['--amount', '100', '--method', 'cash'], 'over_the_counter'],
  ['a virtual account without a channel', ['--amount', '100', '--method', 'virtual_account'], '--channel'],
  ['a channel with QRIS', ['--amount', '100', '--method', 'qris', '--channel', 'BCA'], '--channel'],
  ['an unknown option', ['--amount', '100', '--method', 'qris', '--key', 'gp_test_key'], '--key'],
  [
    'an idempotency key with a space',
    ['--amount', '100', '--method', 'qris', '--idempotency-key', 'no 1'],
    'ASCII',
  ],
])(
  'payments create with %s is a usage error: it exits with code 2, prints one line and sends no request',
  async (_, flags, named) => {
    const { baseUrl, asked } = await service(() => ok(aPayment))
    const { exitCode, stdout, stderr } = await gapura(withKey(baseUrl), 'payments', 'create', ...flags)
    expect(exitCode).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/^gapura: .+\n$/)
    expect(stderr).toContain(named)
    expect(asked).toHaveLength(0)
  },
)

test('gapura help and --help exit with 0; gapura without arguments is a usage error', async () => {
  for (const args of [['--help'], ['help'], ['payments', 'create', '--help'], ['--version']]) {
    const { exitCode, stdout, stderr } = await gapura({}, ...args)
    expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
    expect(stdout).not.toBe('')
  }
  const { exitCode, stdout, stderr } = await gapura({})
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' })
  expect(stderr).toContain('Usage:')
})

test('gapura exits with 4 if the API key is missing or the service rejects it', async () => {
  const { baseUrl, asked } = await service(() =>
    failure(401, 'UNAUTHORIZED', 'unauthorized: invalid API key'),
  )
  for (const key of ['', ' ', 'gp_test_…']) {
    const { exitCode, stderr } = await gapura(
      { GAPURA_API_KEY: key, GAPURA_BASE_URL: baseUrl },
      ...['payments', 'get', aPayment.id],
    )
    expect(exitCode).toBe(4)
    expect(stderr).toMatch(/^gapura: .*GAPURA_API_KEY.*\n$/)
  }
  expect(asked).toHaveLength(0)
  const refused = await gapura(withKey(baseUrl), 'payments', 'get', aPayment.id)
  expect(refused.exitCode).toBe(4)
  expect(refused.stderr).toBe(
    'gapura: unauthorized: invalid API key; set GAPURA_API_KEY to a valid API key of this service\n',
  )
})

test('an error from the service is printed as one line with the next step', async () => {
  const { baseUrl } = await service(() =>
    failure(400, 'BAD_REQUEST', 'bad request: method_detail.bank: XX is not enabled; available: bca'),
  )
  const { exitCode, stdout, stderr } = await gapura(
    withKey(baseUrl),
    ...['payments', 'create', '--amount', '100', '--method', 'virtual_account', '--channel', 'XX'],
  )
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(stderr).toBe(
    'gapura: bad request: method_detail.bank: XX is not enabled; available: bca; correct --channel\n',
  )
})

test('gapura ledger verification exits with 1 if the last ledger verification found differences', async () => {
  for (const [differences, code] of [
    [[], 0],
    [[{ kind: 'balance_differs', facts: { expected: '1', found: '2' } }], 1],
  ] as const) {
    const { baseUrl } = await service(() => ok({ last: null, differences }))
    const env = { GAPURA_ACCESS_TOKEN: 'token', GAPURA_BASE_URL: baseUrl }
    expect(await gapura(env, 'ledger', 'verification')).toMatchObject({ exitCode: code, stderr: '' })
  }
})

test('with --json, an error is printed to stderr as one JSON object', async () => {
  const { baseUrl } = await service(() => failure(404, 'NOT_FOUND', 'not found: payment 1 not found'))
  const { exitCode, stdout, stderr } = await gapura(withKey(baseUrl), 'payments', 'get', '1', '--json')
  expect({ exitCode, stdout }).toEqual({ exitCode: 1, stdout: '' })
  expect(JSON.parse(stderr)).toEqual({
    error: {
      code: 'NOT_FOUND',
      message: 'not found: payment 1 not found',
      next: 'check the id, and whether you use the right tenant and mode (gapura whoami)',
      status: 404,
      request_id: 'req-1',
    },
  })
  const usage = await gapura(withKey(baseUrl), 'payments', 'get', '--json')
  expect(usage.exitCode).toBe(2)
  expect(JSON.parse(usage.stderr).error.code).toBe('USAGE')
})

test('if a failed create request may have charged the payer, the error explains the safe retry', async () => {
  const { baseUrl, asked } = await service(() => ({
    ...failure(502, 'PROVIDER_ERROR', 'provider error [midtrans]: no answer within 10 s'),
    headers: { 'retry-after': '5' },
  }))
  const { exitCode, stderr } = await gapura(
    withKey(baseUrl),
    ...['payments', 'create', '--amount', '100', '--method', 'qris'],
  )
  expect(exitCode).toBe(1)
  const key = asked[0]?.headers['x-idempotency-key']
  expect(stderr).toContain(`; wait 5 seconds, then repeat the command with --idempotency-key ${key}\n`)
})

test('if the provider declines a payment, the error suggests another channel with a new idempotency key', async () => {
  const { baseUrl } = await service(() =>
    failure(502, 'PROVIDER_ERROR', 'provider error [xendit]: refused: do not repeat this payment'),
  )
  const { stderr } = await gapura(
    withKey(baseUrl),
    ...['payments', 'create', '--amount', '100', '--method', 'qris', '--idempotency-key', 'order-1001'],
  )
  expect(stderr).toMatch(/; choose another --channel or --method, with a new --idempotency-key\n$/)
})

test("after gapura payments pay, the suggested command for listing webhooks contains the payment's mode", async () => {
  const { baseUrl, asked } = await service(({ path }) => {
    if (path === '/simulate') return { status: 200, body: { callbacks: [{ status: 200, body: '' }] } }
    return ok({ ...aPayment, mode: 'live', status: asked.length === 1 ? 'pending' : 'paid' })
  })
  const env = { ...withKey(baseUrl), GAPURA_SANDBOX_URL: baseUrl }
  const { stdout } = await gapura(env, 'payments', 'pay', aPayment.id)
  expect(stdout).toContain('gapura webhooks deliveries --mode live\n')
})

test('if the service does not respond at the configured address, the error contains this address', async () => {
  const { exitCode, stderr } = await gapura(withKey('http://127.0.0.1:1'), 'payments', 'get', '1')
  expect(exitCode).toBe(1)
  expect(stderr).toMatch(
    /^gapura: no response from http:\/\/127\.0\.0\.1:1: .+; check GAPURA_BASE_URL, .+\n$/,
  )
  const unknown = await gapura(withKey('127.0.0.1:8080'), 'payments', 'get', '1')
  expect(unknown.exitCode).toBe(2)
  expect(unknown.stderr).toContain('GAPURA_BASE_URL')
})
