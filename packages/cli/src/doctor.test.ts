import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { newHome } from '../test/gapura.ts'

type Answers = Record<string, (response: ServerResponse) => void>

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }
const data = (value: unknown) => json(200, { success: true, data: value })
const ready = json(200, { status: 'ready', checks: {} })
const account = (role: string) =>
  data({ id: 't', name: 'Toko Budi', role, user: { id: 'u', email: 'budi@example.com' } })

/**
 * Runs `gapura doctor` against a fake service with the given responses. Returns the command's exit code and its checks
 * by name.
 */
async function examine(answers: Answers, env: Record<string, string> = { GAPURA_ACCESS_TOKEN: 'token' }) {
  const server = createServer((request, response) => {
    const answer = answers[request.url?.replace(/\?.*/, '') ?? '']
    if (answer) answer(response)
    else response.writeHead(404).end()
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const { exitCode, stdout, stderr } = await newHome().gapura(['doctor', '--json'], {
    env: { GAPURA_BASE_URL: baseUrl, ...env },
  })
  const checks: { name: string; result: string; detail: string; next: string }[] = JSON.parse(stdout).checks
  return { exitCode, stderr, of: (name: string) => checks.find(check => check.name === name) }
}

test("if no service responds, gapura doctor prints the service's address and what to do next", async () => {
  const { exitCode, of } = await examine({}, { GAPURA_BASE_URL: 'http://127.0.0.1:1' })
  expect(exitCode).toBe(1)
  expect(of('address')).toMatchObject({ result: 'failed', next: expect.stringContaining('GAPURA_BASE_URL') })
  // If the service cannot be reached, gapura doctor skips all checks that need the service.
  expect(of('credentials')).toBeUndefined()
})

test('if another service responds at the address, gapura doctor reports that the response is not from Gapura', async () => {
  const { exitCode, of } = await examine({ '/readyz': response => response.end('<html>') })
  expect(exitCode).toBe(1)
  expect(of('address')?.detail).toContain('not from Gapura')
})

test('if the service is not ready, gapura doctor prints the name of the component that failed', async () => {
  const checks = { database: false, worker: true }
  const { exitCode, of } = await examine({ '/readyz': json(503, { status: 'not ready', checks }) })
  expect(exitCode).toBe(1)
  expect(of('readiness')).toMatchObject({ result: 'failed', detail: 'not ready: database' })
})

test.each([
  ['ahead', 3_600],
  ['behind', -3_600],
])(
  "gapura doctor warns that the service's clock is %s, and shows the difference from the local clock",
  async (direction, offsetS) => {
    const { of } = await examine({
      '/readyz': response => {
        const date = new Date(Date.now() + offsetS * 1_000).toUTCString()
        json(200, { status: 'ready' }, { date })(response)
      },
      '/v1/account': account('owner'),
    })
    expect(of('clock')?.result).toBe('warning')
    // The service's clock differs by exactly one hour, but the measured difference also includes half of the
    // response time.
    expect(of('clock')?.detail).toMatch(new RegExp(`^the service's clock is 3[56]\\d\\d s ${direction}$`))
  },
)

test('if the credentials are missing or rejected, gapura doctor exits with code 4', async () => {
  const none = await examine({ '/readyz': ready }, {})
  expect(none.exitCode).toBe(4)
  expect(none.of('credentials')?.next).toContain('gapura login')
  const unauthorized = json(401, {
    success: false,
    error: { code: 'UNAUTHORIZED', message: 'Invalid JWT token' },
  })
  const refused = await examine({ '/readyz': ready, '/v1/account': unauthorized })
  expect(refused.exitCode).toBe(4)
  expect(refused.of('credentials')?.next).toContain('GAPURA_ACCESS_TOKEN')
})

const endpoint = (callback_url: string | null) =>
  data({ callback_url, secret: 'whsec_hidden', previous_secret_expires_at: null })
const deliveries = (...statuses: string[]) =>
  data({
    items: statuses.map(status => ({ status, created_at: '2026-11-20T00:00:00Z', attempts: [] })),
    next_cursor: null,
  })

test.each([
  ['no callback URL', endpoint(null), deliveries(), 'warning', 'set-url'],
  ['a callback URL without HTTPS', endpoint('http://a.example'), deliveries(), 'warning', 'HTTPS'],
  [
    'a delivery that failed permanently',
    endpoint('https://a.example'),
    deliveries('permanently_failed'),
    'warning',
    'redeliver',
  ],
  ['a callback URL that works', endpoint('https://a.example'), deliveries('delivered'), 'ok', ''],
])(
  'for a merchant with %s, doctor shows the result of the webhook check and the next step',
  async (_, webhook, list, result, next) => {
    const { exitCode, of } = await examine({
      '/readyz': ready,
      '/v1/account': account('client'),
      '/v1/account/webhook': webhook,
      '/v1/webhook-deliveries': list,
    })
    expect(exitCode).toBe(0)
    expect(of('webhooks')).toMatchObject({ result, next: expect.stringContaining(next) })
  },
)
