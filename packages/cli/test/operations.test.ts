// Compares the CLI with the API document: every operation has a command, and the command calls the operation of a real
// service.

import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { Gapura } from '@gapura/sdk'
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { type Home, newHome } from './gapura.ts'
import { type Demo, startService } from './real-service.ts'

type Operation = { operationId: string; method: string; path: RegExp }

const document = JSON.parse(readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'))
const operations: Operation[] = Object.entries<Record<string, { operationId?: string }>>(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods).flatMap(([method, { operationId }]) =>
    operationId === undefined
      ? []
      : [
          {
            operationId,
            method: method.toUpperCase(),
            path: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
          },
        ],
  ),
)

/** Operations without a command, each with the reason. */
const exceptions: Record<string, string> = {}

type Who = 'owner' | 'client' | 'user' | 'key'
type Run = {
  who: Who
  args: string[]
  input?: string
  /** Operations whose response is not 200, each with the expected status and the reason. */
  status?: 400 | 404
}

/** Objects that earlier commands created and later commands use. */
type World = Record<
  | 'tenant'
  | 'account'
  | 'payment'
  | 'paid'
  | 'challenged'
  | 'event'
  | 'callback'
  | 'key'
  | 'rotated'
  | 'csv'
  | 'url',
  string
>

const absent = '01990000-0000-7000-8000-000000000000'
const order = ['--rupiah', '100000', '--method', 'virtual_account', '--channel', 'BCA']
const merchant = (...args: string[]): Run => ({ who: 'client', args })
const owner = (...args: string[]): Run => ({ who: 'owner', args })
/**
 * Returns a command about a record that does not exist. The test then only checks that the command calls its operation;
 * other tests use existing records.
 */
const ofAbsent = (...args: string[]): Run => ({ ...owner(...args), status: 404 })

/** The command of each operation, in an order in which they can run. */
const commands: Record<string, (world: World) => Run> = {
  login: () => owner('login'),
  getAccount: () => merchant('whoami'),
  listActiveMethods: () => merchant('methods'),
  createPayment: () => ({ who: 'key', args: ['payments', 'create', ...order] }),
  listPayments: () => merchant('payments', 'list'),
  getPayment: ({ payment }) => merchant('payments', 'get', payment),
  cancelPayment: ({ payment }) => merchant('payments', 'cancel', payment),
  listPaymentLedger: ({ paid }) => merchant('payments', 'ledger', paid),
  listPaymentTimeline: ({ paid }) => merchant('payments', 'timeline', paid),
  listPaymentAttempts: ({ paid }) => merchant('payments', 'attempts', paid),
  getBalance: () => merchant('ledger', 'balance'),
  listLedger: () => merchant('ledger', 'list'),
  // The response is 404, because the ledger is sealed only minutes after its first entry.
  getLedgerSeal: () => ({ ...merchant('ledger', 'seal', '--mode', 'test'), status: 404 }),
  reportPayments: () => merchant('reports', 'payments'),
  reportReconciliation: () => merchant('reports', 'reconcile', '--source', 'books'),
  listOwnApiKeys: () => merchant('keys', 'list'),
  listOwnUsers: () => merchant('users', 'list'),
  setWebhook: ({ url }) => merchant('webhooks', 'set-url', url),
  getWebhook: () => merchant('webhooks', 'show'),
  rotateWebhookSecret: () => merchant('webhooks', 'rotate-secret'),
  sendTestWebhook: () => merchant('webhooks', 'test'),
  listWebhookDeliveries: () => merchant('webhooks', 'deliveries', '--mode', 'test', '--limit', '1'),
  getWebhookDelivery: ({ event }) => merchant('webhooks', 'deliveries', 'get', event),
  redeliverWebhook: ({ event }) => merchant('webhooks', 'redeliver', event),
  redeliverFailedWebhooks: () =>
    merchant('webhooks', 'redeliver', '--failed-since', new Date().toISOString()),
  listenForWebhooks: () => merchant('webhooks', 'listen', '--count', '0'),
  listAuditLog: () => owner('audit', 'list'),
  listRequests: () => merchant('logs', 'list'),
  getRequest: () => ({ ...merchant('logs', 'get', absent), status: 404 }),
  listTenants: () => owner('tenants', 'list'),
  createTenant: () => owner('tenants', 'create', '--name', 'Toko Baru'),
  getTenant: ({ tenant }) => owner('tenants', 'get', tenant),
  updateTenant: ({ tenant }) => owner('tenants', 'update', tenant, '--name', 'Toko Lama', '--tier', 'growth'),
  listTierLimits: () => owner('limits', 'list'),
  updateTierLimits: () => owner('limits', 'set', '--tier', 'growth', '--burst-seconds', '3'),
  resetTierLimits: () => owner('limits', 'reset', '--tier', 'growth'),
  getTenantLimits: ({ tenant }) => owner('limits', 'list', '--tenant', tenant),
  updateTenantLimits: ({ tenant }) => owner('limits', 'set', '--tenant', tenant, '--burst-seconds', '3'),
  resetTenantLimits: ({ tenant }) => owner('limits', 'reset', '--tenant', tenant),
  createApiKey: ({ tenant }) => owner('keys', 'create', '--mode', 'test', '--tenant', tenant),
  listApiKeys: ({ tenant }) => owner('keys', 'list', '--tenant', tenant),
  rotateApiKey: ({ tenant, key }) => owner('keys', 'rotate', key, '--tenant', tenant, '--yes'),
  revokeApiKey: ({ tenant, rotated }) => owner('keys', 'revoke', rotated, '--tenant', tenant, '--yes'),
  createUser: ({ tenant }) => ({
    ...owner('users', 'create', '--tenant', tenant, '--email', 'baru@example.com'),
    input: 'correct horse battery',
  }),
  listUsers: ({ tenant }) => owner('users', 'list', '--tenant', tenant),
  changePassword: () => ({
    who: 'user',
    args: ['password', 'change'],
    input: 'correct horse battery\ncorrect horse battery staple\n',
  }),
  requestPasswordReset: ({ tenant }) =>
    owner('password', 'request-reset', '--tenant', tenant, '--email', 'nobody@example.com'),
  confirmPasswordReset: () => ({
    ...owner('password', 'reset'),
    input: 'gp_reset_unknown\ncorrect horse battery staple\n',
    status: 400,
  }),
  listProviders: () => owner('providers', 'list'),
  listProviderHealth: () => owner('providers', 'health'),
  listProviderAccounts: () => owner('providers', 'accounts', 'midtrans'),
  createProviderAccount: () => ({
    ...owner('providers', 'add-account', 'midtrans', '--mode', 'test', '--name', 'Second'),
    input: '{"server_key":"SB-Mid-server-second"}',
  }),
  updateProviderAccount: ({ account }) =>
    owner('providers', 'update-account', 'midtrans', account, '--name', 'Midtrans'),
  setEntitlements: ({ tenant, account }) => owner('entitlements', 'set', tenant, account),
  getEntitlements: ({ tenant }) => owner('entitlements', 'get', tenant),
  setRoutingRules: ({ tenant, account }) => ({
    ...owner('routes', 'set', tenant),
    input: JSON.stringify([{ provider_account_id: account }]),
  }),
  getRoutingRules: ({ tenant }) => owner('routes', 'get', tenant),
  previewRoute: ({ tenant }) => owner('routes', 'preview', tenant, '--mode', 'test', ...order),
  uploadSettlement: ({ account, csv }) =>
    owner('settlements', 'upload', 'midtrans', account, '2026-11-01', csv),
  listSettlements: ({ account }) => owner('settlements', 'list', 'midtrans', account),
  listProviderCallbacks: () => owner('callbacks', 'list', '--mode', 'test', '--status', 'applied'),
  listRejectedCallbacks: () => owner('callbacks', 'list', '--rejected'),
  reprocessProviderCallback: ({ callback }) => owner('callbacks', 'reprocess', callback),
  listChallengedPayments: () => owner('payments', 'challenged'),
  resolvePayment: ({ challenged }) =>
    owner('payments', 'resolve', challenged, '--reject', '--reason', 'sent back', '--yes'),
  listUnexpectedMoney: () => owner('unexpected-money', 'list'),
  getUnexpectedMoney: () => ofAbsent('unexpected-money', 'show', absent),
  acceptUnexpectedMoney: () => ofAbsent('unexpected-money', 'accept', absent, '--reason', 'paid'),
  assignUnexpectedMoney: ({ paid }) =>
    ofAbsent('unexpected-money', 'assign', absent, '--payment', paid, '--reason', 'paid', '--yes'),
  refundUnexpectedMoney: () => ofAbsent('unexpected-money', 'refund', absent, '--reason', 'paid', '--yes'),
  dismissUnexpectedMoney: () => ofAbsent('unexpected-money', 'dismiss', absent, '--reason', 'paid', '--yes'),
  listUnknownPayments: () => owner('unknown-payments', 'list'),
  inquireUnknownPayment: () => ofAbsent('unknown-payments', 'inquire', absent),
  resolveUnknownPayment: () =>
    ofAbsent('unknown-payments', 'resolve', absent, '--not-created', '--reason', 'none', '--yes'),
  getLedgerVerification: () => owner('ledger', 'verification'),
  listReconciliationRuns: () => owner('reconciliation', 'runs'),
  listReconciliationDifferences: () => owner('reconciliation', 'differences'),
  closeReconciliationDifference: () => ofAbsent('reconciliation', 'close', absent, '--reason', 'explained'),
  refresh: () => merchant('whoami'),
  logout: () => merchant('logout'),
}

let demo: Demo
let stop: () => Promise<void>
beforeAll(async () => {
  const started = await startService()
  demo = started.demo
  stop = started.stop
})
afterAll(() => stop?.())

test('every operation of the API document has a command or a reason to have none', () => {
  expect([...Object.keys(commands), ...Object.keys(exceptions)].toSorted()).toEqual(
    operations.map(({ operationId }) => operationId).toSorted(),
  )
})

test('every command calls its operation of a real service, and the operation succeeds', async () => {
  const calls = recordCalls()
  const homes = { owner: newHome(), client: newHome(), user: newHome(), key: newHome() }
  await logIn(homes.client, demo.client.email, demo.client.password)
  const world = await newWorld(homes.client)
  for (const [operationId, runOf] of Object.entries(commands)) {
    const home = homes[runOf(world).who]
    if (operationId === 'changePassword') await logIn(home, 'baru@example.com', 'correct horse battery')
    if (operationId === 'refresh') expire(home)
    const { who, args, input = '', status = 200 } = runOf(world)
    calls.length = 0
    const env = who === 'key' ? { GAPURA_API_KEY: demo.client.test_key, GAPURA_BASE_URL: demo.base_url } : {}
    const { exitCode, stdout, stderr } =
      operationId === 'login'
        ? await logIn(home, demo.owner.email, demo.owner.password)
        : await home.gapura([...args, '--json'], { env, input })
    expect({ operationId, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({
      operationId,
      exitCode: status === 200 ? 0 : 1,
      stderr: status === 200 ? '' : expect.stringContaining(`"status":${status}`),
    })
    expect(calls).toContain(`${operationId} ${status}`)
    if (status === 200) learn(world, operationId, stdout === '' ? {} : JSON.parse(stdout))
  }
})

/** Records the operation and the response's status of each request to the service. */
function recordCalls(): string[] {
  const calls: string[] = []
  const send = globalThis.fetch
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const response = await send(input, init)
    const { pathname } = new URL(String(input))
    const called = operations.find(
      ({ method, path }) =>
        method === (init?.method ?? 'GET') && path.test(pathname) && isClosest(path, pathname),
    )
    calls.push(`${called?.operationId} ${response.status}`)
    return response
  })
  onTestFinished(() => spy.mockRestore())
  return calls
}

/**
 * Returns whether no other path of the document matches with fewer parameters, as `/redeliver` does beside
 * `/{event_id}`.
 */
const isClosest = (path: RegExp, pathname: string): boolean =>
  operations.every(other => !other.path.test(pathname) || parameters(other.path) >= parameters(path))
const parameters = (path: RegExp): number => path.source.split('[^/]+').length

async function logIn(home: Home, email: string, password: string) {
  const login = ['login', '--email', email, '--base-url', demo.base_url, '--json']
  const done = await home.gapura(login, { input: password })
  expect(done).toMatchObject({ exitCode: 0 })
  return done
}

function expire(home: Home): void {
  const { default: profile } = home.profiles()
  home.profiles({
    default: { ...profile, session: { ...profile.session, access_token_expires_at: 0 } },
  })
}

/** Creates a paid and a challenged payment, a settlement file and a webhook receiver. */
async function newWorld(home: Home): Promise<World> {
  const shop = new Gapura({ apiKey: demo.client.test_key, baseUrl: demo.base_url })
  const payment = async (outcome: string, amount: number) => {
    const { id, payment_code } = await shop.payments.create({
      amount: 10_000_000,
      currency: 'IDR',
      method_type: 'virtual_account',
      method_detail: { type: 'virtual_account', bank: 'BNI' },
    })
    await fetch(`${demo.sandbox_url}/simulate`, {
      method: 'POST',
      body: JSON.stringify({ payment_code, outcome: 'paid', amount }),
    })
    await vi.waitUntil(async () => (await shop.payments.get(id)).status === outcome, { timeout: 120_000 })
    return id
  }
  const csv = join(dirname(home.file), 'settlement.csv')
  writeFileSync(csv, 'reference,amount\nGP-1,100000\n')
  const server = createServer((_, response) => response.writeHead(204).end()).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => void server.close())
  return {
    ...{ tenant: '', account: '', payment: '', event: '', callback: '', key: '', rotated: '', csv },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    paid: await payment('paid', 10_000_000),
    challenged: await payment('challenged', 5_000_000),
  }
}

/** Stores the ids in the output of a command that later commands need. */
function learn(world: World, operationId: string, printed: { id?: string; items?: { id: string }[] }): void {
  const id = printed.id ?? printed.items?.[0]?.id ?? ''
  const learned: Record<string, keyof World> = {
    createPayment: 'payment',
    createTenant: 'tenant',
    createApiKey: 'key',
    rotateApiKey: 'rotated',
    createProviderAccount: 'account',
    sendTestWebhook: 'event',
    listProviderCallbacks: 'callback',
  }
  const name = learned[operationId]
  if (name !== undefined) world[name] = id
}
