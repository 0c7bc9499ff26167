// Runs the usual steps of a merchant and of the Owner (the service's operator) against the whole service, using only
// the CLI.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Gapura, webhooks } from '@gapura/sdk'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import type { Demo } from '../../server/src/demo/demo.ts'
import { startDemoService } from './demo-service.ts'
import { type Home, newHome } from './gapura.ts'

let demo: Demo
beforeAll(async () => {
  const service = await startDemoService()
  demo = service.demo
  return service.stop
})

type Who = 'owner' | 'partner' | 'client' | 'client2'

/** Logs in with the CLI, and returns the home directory in which the login is stored. */
async function loggedIn(who: Who): Promise<Home> {
  const home = newHome()
  const { email, password } = demo[who]
  const login = ['login', '--email', email, '--base-url', demo.base_url]
  expect(await home.gapura(login, { input: password })).toMatchObject({ exitCode: 0 })
  expect(home.profiles().default.device).toMatch(/^gapura_device=gp_device_/)
  return home
}

/** Runs a command that must succeed, and returns the JSON that it prints. */
// biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields of the JSON
async function json(home: Home, args: string[], input?: string): Promise<any> {
  const { exitCode, stdout, stderr } = await home.gapura([...args, '--json'], {
    ...(input !== undefined && { input }),
  })
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return JSON.parse(stdout)
}

const simulate = (payment: { payment_code: string }, outcome: string, rest: object = {}) =>
  fetch(`${demo.sandbox_url}/simulate`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ payment_code: payment.payment_code, outcome, ...rest }),
  })

/**
 * Starts a webhook receiver. It stores each webhook and whether its signature is valid, and responds with the
 * HTTP status that the parameter `status` returns.
 */
async function receiver(status: () => number) {
  const got: { id: string; type: string; status: 'verified' | 'refused' }[] = []
  let secrets: string[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const event = await webhooks
      .verify(Buffer.concat(chunks), request.headers, secrets)
      .catch(() => undefined)
    got.push({ id: event?.id ?? '', type: event?.type ?? '', status: event ? 'verified' : 'refused' })
    response.writeHead(status()).end()
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`
  return {
    url,
    got,
    knows: (...known: string[]) => {
      secrets = known
    },
  }
}

/** Repeats the call until `isSo` returns true for the call's result. */
async function until<T>(ask: () => Promise<T>, isSo: (answer: T) => boolean): Promise<T> {
  for (;;) {
    const answer = await ask()
    if (isSo(answer)) return answer
    await new Promise(resolve => setTimeout(resolve, 100))
  }
}

test('with the CLI alone, a merchant can create a payment and find it in the ledger', async () => {
  const home = await loggedIn('client')
  expect((await json(home, ['whoami'])).account.user.email).toBe(demo.client.email)

  const made = await home.gapura(['keys', 'create', '--mode', 'test', '--name', 'shop', '--save'])
  const key = /gp_test_\w+/.exec(made.stdout)?.[0] ?? ''
  expect(made.stdout).toContain(`\n\n  ${key}\n\n`)
  expect(home.profiles().default.api_key).toBe(key)
  // A secret is shown only once, when it is created, so no list contains the secret.
  expect((await home.gapura(['keys', 'list'])).stdout).not.toContain(key)

  const payment = await json(home, [
    ...['payments', 'create', '--rupiah', '100000', '--method', 'virtual_account', '--channel', 'BCA'],
    ...['--customer-name', 'Budi Santoso', '--idempotency-key', 'journey-1'],
  ])
  expect(payment).toMatchObject({ amount: 10_000_000, status: 'pending' })
  await simulate(payment, 'paid')
  await until(
    () => json(home, ['payments', 'get', payment.id]),
    ({ status }) => status === 'paid',
  )
  expect(
    (await json(home, ['payments', 'list', '--status', 'paid', '--query', 'budi', '--mode', 'test'])).items,
  ).toMatchObject([{ id: payment.id }])
  const timeline = await json(home, ['payments', 'timeline', payment.id])
  expect(timeline.map((entry: { to: string }) => entry.to)).toEqual(['pending', 'paid'])
  expect((await home.gapura(['ledger', 'balance', '--mode', 'test'])).stdout).toBe('Rp 100.000 (test)\n')
  expect((await json(home, ['ledger', 'list', '--mode', 'test'])).items).toMatchObject([
    { amount: 10_000_000, reference_id: payment.payment_code },
  ])
  expect(
    (await json(home, ['reports', 'payments', '--by', 'status,method_type', '--mode', 'test'])).items,
  ).toEqual([
    {
      status: 'paid',
      method_type: 'virtual_account',
      count: 1,
      amount: 10_000_000,
      amount_paid: 10_000_000,
      amount_refunded: 0,
      amount_reversed: 0,
    },
  ])
  const csv = await home.gapura(['reports', 'payments', '--by', 'status', '--mode', 'test', '--csv'])
  expect(csv.stdout).toBe(
    'status,count,amount,amount_paid,amount_refunded,amount_reversed\r\npaid,1,10000000,10000000,0,0\r\n',
  )
  expect(await json(home, ['reports', 'reconcile'])).toMatchObject({ balanced: true })

  await json(home, ['keys', 'revoke', (await json(home, ['keys', 'list'])).items[0].id, '--yes'])
  const refused = await until(
    () => home.gapura(['payments', 'create', '--rupiah', '1', '--method', 'qris']),
    ({ exitCode }) => exitCode !== 0,
  )
  expect(refused.exitCode).toBe(4)
  expect(refused.stderr).toContain('gapura keys create')
})

test('a merchant who uses only the CLI can set up webhooks and redeliver a failed webhook', async () => {
  const home = await loggedIn('client2')
  const bare = await home.gapura(['webhooks', 'test'])
  expect(bare.exitCode).toBe(1)
  expect(bare.stderr).toContain('gapura webhooks set-url')

  let status = 200
  const { url, got, knows } = await receiver(() => status)
  expect((await home.gapura(['webhooks', 'set-url', url])).stdout).toContain(url)
  expect((await home.gapura(['webhooks', 'show'])).stdout).not.toContain('whsec_')
  const { stdout: secret } = await home.gapura(['webhooks', 'secret'])
  knows(secret.trim())
  expect(await home.gapura(['webhooks', 'test'])).toMatchObject({ exitCode: 0 })
  expect(got).toMatchObject([{ type: 'webhook.test', status: 'verified' }])

  const { secret: next } = await json(home, ['webhooks', 'rotate-secret'])
  expect(next).not.toBe(secret.trim())
  knows(next)
  status = 500
  const failing = await home.gapura(['webhooks', 'test'])
  expect(failing.exitCode).toBe(1)
  expect(failing.stderr).toContain('HTTP 500')
  status = 200
  const [delivered] = (await json(home, ['webhooks', 'deliveries', '--status', 'delivered', '--mode', 'all']))
    .items
  await json(home, ['webhooks', 'redeliver', delivered.id])
  await until(
    async () => got.filter(each => each.id === delivered.id),
    deliveries => deliveries.length === 2,
  )
  expect(got.every(each => each.status === 'verified')).toBe(true)
  const { exitCode, stdout } = await home.gapura(['doctor'])
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/^readiness +ok/m)
})

test('webhooks listen forwards events to a local receiver, with a signature like that of a webhook delivery', async () => {
  const home = await loggedIn('client')
  const { url, got, knows } = await receiver(() => 204)
  knows(demo.client.webhook_secret)
  const listening = home.gapura(['webhooks', 'listen', '--forward-to', url, '--count', '1', '--json'])
  // A listener receives only events that occur after it has started. The test therefore creates payments until the
  // listener receives an event.
  const shop = new Gapura({ apiKey: demo.client.test_key, baseUrl: demo.base_url })
  const order = {
    amount: 100,
    currency: 'IDR',
    method_type: 'qris',
    method_detail: { type: 'qris' },
  } as const
  let ended = false
  const over = listening.finally(() => {
    ended = true
  })
  while (!ended) {
    await shop.payments.cancel((await shop.payments.create(order)).id)
    await Promise.race([over, new Promise(resolve => setTimeout(resolve, 500))])
  }

  const { exitCode, stdout, stderr } = await listening
  expect(exitCode, stderr).toBe(0)
  expect(stderr).toContain(`Listening for test-mode webhooks and forwarding to ${url}`)
  expect(JSON.parse(stdout)).toMatchObject({ type: 'payment.cancelled', verified: true, answer: 204 })
  expect(got).toMatchObject([{ type: 'payment.cancelled', status: 'verified' }])

  const refused = await home.gapura(['webhooks', 'listen', '--forward-to', 'ftp://x'])
  expect([refused.exitCode, refused.stderr]).toEqual([2, expect.stringContaining('It must be an http')])
})

test('with the CLI alone, the Owner can set and reset the request limits of tiers and tenants', async () => {
  const owner = await loggedIn('owner')
  const { id } = await json(owner, ['tenants', 'create', '--name', 'Toko Cepat', '--tier', 'growth'])
  const set = (...args: string[]) => json(owner, ['limits', 'set', ...args])
  expect(await set('--tier', 'growth', '--requests-per-second', '300')).toMatchObject({
    requests_per_second: { value: 300, source: 'tier', inherited: 200 },
  })
  const ofTenant = { burst_seconds: { value: 4, source: 'tenant', inherited: 2 } }
  expect(await set('--tenant', id, '--burst-seconds', '4')).toMatchObject(ofTenant)
  expect(await json(owner, ['limits', 'list', '--tenant', id])).toMatchObject({
    ...ofTenant,
    requests_per_second: { value: 300, source: 'tier' },
  })
  expect(await set('--tenant', id, '--burst-seconds', 'inherit')).toMatchObject({
    burst_seconds: { value: 2, source: 'default' },
  })
  expect((await owner.gapura(['limits', 'list'])).stdout).toMatch(
    /^growth +300 \(tier\) +2 \(default\) +400/m,
  )
  await json(owner, ['limits', 'reset', '--tenant', id])
  expect(await json(owner, ['limits', 'reset', '--tier', 'growth'])).toMatchObject({
    requests_per_second: { value: 200, source: 'default' },
  })

  for (const [code, args, said] of [
    [2, ['--tier', 'growth'], 'no limit given'],
    [2, ['--burst-seconds', '4'], 'no tier or tenant given'],
    [1, ['--tier', 'growth', '--burst-seconds', '11'], 'burst_seconds: must be an integer from 1 to 10'],
  ] as const) {
    const { exitCode, stderr } = await owner.gapura(['limits', 'set', ...args])
    expect([exitCode, stderr]).toEqual([code, expect.stringContaining(said)])
  }
})

test('with the CLI alone, the Owner can set up and suspend a tenant that creates payments', async () => {
  const owner = await loggedIn('owner')
  const { id: tenant } = await json(owner, ['tenants', 'create', '--name', 'Toko Baru', '--tier', 'growth'])
  await json(owner, ['users', 'create', '--tenant', tenant, '--email', 'baru@example.com'], 'correct horse')
  expect((await json(owner, ['users', 'list', '--tenant', tenant])).items).toHaveLength(1)

  const [provider] = (await json(owner, ['providers', 'list'])).items
  const accounts = (await json(owner, ['providers', 'accounts', provider.code])).items
  const inTest = accounts.find((account: { mode: string }) => account.mode === 'test')
  const added = await json(
    owner,
    [
      ...['providers', 'add-account', provider.code, '--mode', 'test', '--name', 'Second'],
      ...['--base-url', inTest.base_url],
    ],
    JSON.stringify(
      Object.fromEntries(
        provider.credentials.required.map((field: string) => [field, 'SB-Mid-server-second']),
      ),
    ),
  )
  expect(JSON.stringify(added)).not.toContain('SB-Mid')
  const changed = ['providers', 'update-account', provider.code, added.id]
  expect(await json(owner, [...changed, '--disable'])).toMatchObject({ enabled: false })
  expect(await json(owner, [...changed, '--enable', '--name', 'Kedua'])).toMatchObject({
    enabled: true,
    name: 'Kedua',
  })

  const { items } = await json(owner, ['entitlements', 'set', tenant, inTest.id, added.id])
  expect(items.map((each: { provider_account_id: string }) => each.provider_account_id)).toEqual([
    inTest.id,
    added.id,
  ])
  const rules = JSON.stringify([{ method_type: 'qris', provider_account_id: inTest.id }])
  const set = await json(owner, ['routes', 'set', tenant], rules)
  // The JSON that `routes get` prints is valid input for `routes set`.
  expect(await json(owner, ['routes', 'set', tenant], JSON.stringify(set))).toEqual(set)
  expect(await json(owner, ['routes', 'get', tenant])).toEqual(set)

  const { key } = await json(owner, ['keys', 'create', '--mode', 'test', '--tenant', tenant])
  const env = { GAPURA_API_KEY: key, GAPURA_BASE_URL: demo.base_url }
  const create = ['payments', 'create', '--rupiah', '5000', '--method', 'qris']
  expect(await newHome().gapura(create, { env })).toMatchObject({ exitCode: 0 })

  await json(owner, ['tenants', 'suspend', tenant, '--yes'])
  const suspended = await until(
    () => newHome().gapura(create, { env }),
    ({ exitCode }) => exitCode !== 0,
  )
  expect(suspended.stderr).toContain('suspended')
  expect(await json(owner, ['tenants', 'resume', tenant])).toMatchObject({ status: 'active' })
  const acts = (await json(owner, ['audit', 'list', '--limit', '100'])).items
  expect(acts.map((act: { action: string }) => act.action)).toContain('provider_account.create')
  expect(JSON.stringify(acts)).not.toMatch(/SB-Mid|correct horse|gp_test_\w{32}/)
})

test('with the CLI alone, the Owner can reject an underpaid payment and preview a callback', async () => {
  const env = { GAPURA_API_KEY: demo.client2.test_key, GAPURA_BASE_URL: demo.base_url }
  const merchant = newHome()
  const create = ['payments', 'create', '--rupiah', '5000', '--method', 'virtual_account', '--channel', 'bni']
  const { stdout } = await merchant.gapura([...create, '--json'], { env })
  const payment = JSON.parse(stdout)
  await simulate(payment, 'paid', { amount: 100_000 })
  await until(
    async () => (await merchant.gapura(['payments', 'get', payment.id], { env })).stdout,
    shown => shown.includes('challenged'),
  )
  const owner = await loggedIn('owner')
  const { items } = await json(owner, ['callbacks', 'list', '--payment', payment.id, '--status', 'applied'])
  expect(items).toHaveLength(1)
  const tried = await owner.gapura(['callbacks', 'reprocess', items[0].id])
  expect(tried.exitCode).toBe(0)
  expect(tried.stderr).toContain('--apply')
  const applied = await json(owner, ['callbacks', 'reprocess', items[0].id, '--apply'])
  expect(applied.items).toMatchObject([{ id: items[0].id, dry_run: false }])

  const resolve = ['payments', 'resolve', payment.id, '--reject', '--reason', 'sent back']
  expect((await owner.gapura(resolve)).exitCode).toBe(2)
  expect(await json(owner, [...resolve, '--yes'])).toMatchObject({ status: 'failed' })
  const partner = await loggedIn('partner')
  const forbidden = await partner.gapura(resolve.concat('--yes'))
  expect(forbidden.exitCode).toBe(1)
  expect(forbidden.stderr).toContain('gapura whoami')
})

test('every list fits a terminal with 80 columns, and --all loads all items of the list', async () => {
  const env = { GAPURA_API_KEY: demo.client2.live_key, GAPURA_BASE_URL: demo.base_url }
  const home = newHome()
  const orders = Array.from({ length: 3 }, (_, n) => [
    ...[
      'payments',
      'create',
      '--rupiah',
      `${n + 1}000000`,
      '--method',
      'virtual_account',
      '--channel',
      'bca',
    ],
    ...['--customer-name', 'Raden Mas Panji Sosrokartono dari Jepara'],
  ])
  for (const order of orders) await home.gapura(order, { env })
  const owner = await loggedIn('owner')
  const lists: [Home, string[], Record<string, string>][] = [
    [home, ['payments', 'list', '--all'], env],
    [home, ['ledger', 'list'], env],
    [owner, ['tenants', 'list'], {}],
    [owner, ['keys', 'list', '--tenant', demo.client.tenant_id], {}],
    [owner, ['providers', 'list'], {}],
    [owner, ['providers', 'health'], {}],
    [owner, ['providers', 'accounts', 'midtrans'], {}],
    [owner, ['callbacks', 'list'], {}],
    [owner, ['audit', 'list'], {}],
    [owner, ['reports', 'payments', '--by', 'day,status,method_type,provider,tenant,mode'], {}],
    [owner, ['doctor'], {}],
  ]
  for (const [home, args, env] of lists) {
    const { exitCode, stdout, stderr } = await home.gapura(args, { env, columns: 80 })
    expect({ args, exitCode }).toEqual({ args, exitCode: 0 })
    const lines = `${stdout}${stderr}`.split('\n').flatMap(line => line.split('\r'))
    expect(lines.filter(line => line.length > 80)).toEqual([])
    expect(lines.length).toBeGreaterThan(1)
  }
  const { items } = JSON.parse((await home.gapura(['payments', 'list', '--all', '--json'], { env })).stdout)
  expect(items).toHaveLength(3)
  const two = await home.gapura(['payments', 'list', '--limit', '2'], { env })
  const cursor = /--cursor (\S+)/.exec(two.stderr)?.[1] ?? ''
  const rest = await home.gapura(['payments', 'list', '--cursor', cursor, '--json'], { env })
  expect(JSON.parse(rest.stdout).items).toEqual(items.slice(2))
})

test('a CLI login outlives its access token, and a logout ends the session at the service', async () => {
  const home = await loggedIn('client')
  const before = home.profiles()
  const { session } = before.default
  home.profiles({ default: { ...before.default, session: { ...session, access_token_expires_at: 0 } } })
  const ended = await Promise.all(Array.from({ length: 3 }, () => home.gapura(['whoami'])))
  expect(ended.map(each => each.exitCode)).toEqual([0, 0, 0])
  const { refresh_token } = home.profiles().default.session
  expect(refresh_token).not.toBe(session.refresh_token)

  expect((await home.gapura(['logout'])).exitCode).toBe(0)
  expect((await home.gapura(['whoami'])).exitCode).toBe(4)
  home.profiles(before)
  home.profiles({
    default: { ...before.default, session: { ...session, refresh_token, access_token_expires_at: 0 } },
  })
  const after = await home.gapura(['whoami'])
  expect(after.exitCode).toBe(4)
  expect(after.stderr).toContain('gapura login')
})
