// Compares the CLI with the API document: every operation must have a command, and the command must call that
// operation on a real service.

import { readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { Gapura } from '@gapura/sdk'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import type { Demo } from '../../server/src/demo/demo.ts'
import { startDemoService } from './demo-service.ts'
import { type Home, newHome } from './gapura.ts'
import { commands, type World } from './operation-commands.ts'

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

/** The operations without a CLI command, each with the reason. */
const exceptions: Record<string, string> = {
  completeLogin:
    'the command login calls this operation for a user with a second factor (src/second-factor.test.ts)',
}

let demo: Demo
beforeAll(async () => {
  const service = await startDemoService()
  demo = service.demo
  return service.stop
})

test('every operation in the API document has a CLI command or a stated reason for not having one', () => {
  expect([...Object.keys(commands), ...Object.keys(exceptions)].toSorted()).toEqual(
    operations.map(({ operationId }) => operationId).toSorted(),
  )
})

test('every CLI command calls its operation on a real service, and the response has the expected status', async () => {
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

/** Records the operation and the response status for each request to the service. */
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
 * Returns whether `path` has the fewest parameters of all paths in the API document that match the request. For
 * example, a request to `/redeliver` also matches `/{event_id}`, but `/{event_id}` has more parameters.
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
    ...{
      client: demo.client.tenant_id,
      tenant: '',
      account: '',
      payment: '',
      event: '',
      endpoint: '',
      callback: '',
      key: '',
      rotated: '',
      user: '',
      csv,
    },
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    paid: await payment('paid', 10_000_000),
    challenged: await payment('challenged', 5_000_000),
  }
}

/** Stores the IDs from a command's output, because later commands need them. */
function learn(world: World, operationId: string, printed: { id?: string; items?: { id: string }[] }): void {
  const id = printed.id ?? printed.items?.[0]?.id ?? ''
  const learned: Record<string, keyof World> = {
    createPayment: 'payment',
    createTenant: 'tenant',
    createApiKey: 'key',
    rotateApiKey: 'rotated',
    createUser: 'user',
    createProviderAccount: 'account',
    createWebhookEndpoint: 'endpoint',
    sendTestWebhook: 'event',
    listProviderCallbacks: 'callback',
  }
  const name = learned[operationId]
  if (name !== undefined) world[name] = id
}
