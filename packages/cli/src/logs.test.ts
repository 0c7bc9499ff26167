import { once } from 'node:events'
import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { type Asked, ok, service } from '../test/service.ts'

const request = (n: number, more = {}) => ({
  id: `01990000-0000-7000-8000-${String(n).padStart(12, '0')}`,
  request_id: `r-${n}`,
  mode: 'test',
  api_key_id: 'k',
  api_key_name: 'web shop',
  method: 'POST',
  route: '/v1/payments/create',
  path: '/v1/payments/create',
  status: 400,
  error_code: 'BAD_REQUEST',
  error_field: 'amount',
  idempotency_key: null,
  duration_ms: 3,
  client_address: null,
  user_agent: null,
  payment_id: null,
  payment_code: null,
  created_at: '2026-11-20T03:04:05.678Z',
  ...more,
})

/**
 * Starts `gapura logs tail` with the given arguments and collects its output. `stop` simulates Ctrl-C and returns the
 * exit code.
 */
function tail(baseUrl: string, args: string[]) {
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_API_KEY: 'gp_test_x' }
  const child = newHome().start(['logs', 'tail', '--json', ...args], env)
  const exited = once(child, 'exit')
  let output = ''
  child.stdout.on('data', chunk => {
    output += chunk
  })
  return {
    shown: () => output.split('\n').flatMap(line => (line === '' ? [] : [JSON.parse(line).request_id])),
    async stop(): Promise<number> {
      child.kill('SIGINT')
      return (await exited)[0]
    },
  }
}

const queryOf = ({ path }: Asked) => Object.fromEntries(new URL(path, 'http://localhost').searchParams)
/**
 * Returns the queries with which `logs tail` fetched new requests from the log. A query with `limit=1` is left out,
 * because it only looks up the latest request before a poll.
 */
const polls = (asked: Asked[]) => asked.map(queryOf).filter(({ limit }) => limit !== '1')

test('logs tail prints each new matching request exactly once, and exits with code 0 on Ctrl-C', async () => {
  let listed = [request(1)]
  const { baseUrl, asked } = await service(() => ok({ items: listed, next_cursor: null }))
  const { shown, stop } = tail(baseUrl, ['--status', '4xx', '--method', 'post', '--path', '/v1/payments'])
  await expect.poll(() => polls(asked).length).toBeGreaterThanOrEqual(1)
  // The service received request 2 before request 1, but wrote it to the request log later.
  listed = [request(3), request(1), request(2, { created_at: '2026-11-20T03:04:04.000Z' })]
  await expect.poll(() => shown().length).toBe(2)
  const before = polls(asked).length
  await expect.poll(() => polls(asked).length).toBeGreaterThan(before + 1)
  expect(await stop()).toBe(0)
  expect(shown()).toEqual(['r-2', 'r-3'])
  expect(polls(asked).at(-1)).toMatchObject({ status: '4xx', method: 'POST', path: '/v1/payments' })
})

test('logs tail continues from the latest request in the log, even if no request matches the filter', async () => {
  const at = (minute: number) => `2026-11-20T03:${String(minute).padStart(2, '0')}:00.000Z`
  let latest = 0
  const { baseUrl, asked } = await service(each => {
    const items = queryOf(each).limit === '1' ? [request(1, { created_at: at(++latest) })] : []
    return ok({ items, next_cursor: null })
  })
  const { shown, stop } = tail(baseUrl, ['--status', '5xx'])
  await expect.poll(() => polls(asked).length).toBeGreaterThanOrEqual(4)
  expect(await stop()).toBe(0)
  expect(shown()).toEqual([])
  const starts = polls(asked).map(({ from }) => from)
  expect(starts.slice(0, 4)).toEqual([0, 0, 1, 2].map(minute => at(minute).replace(':00.000', ':30.000')))
})

test("logs get shows a request's error, and removes control characters sent by the client", async () => {
  const { baseUrl } = await service(() => ok(request(1, { user_agent: 'shop\u001b[31m' })))
  const { stdout, exitCode } = await newHome().gapura(['logs', 'get', 'r-1'], {
    env: { GAPURA_BASE_URL: baseUrl, GAPURA_API_KEY: 'gp_test_x' },
  })
  expect(exitCode).toBe(0)
  expect(stdout).toContain('400 POST /v1/payments/create')
  expect(stdout).toMatch(/Field +amount/)
  expect(stdout).not.toContain('\u001b')
})
