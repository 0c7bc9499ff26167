import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { main, newHome } from '../test/gapura.ts'
import { ok, service } from '../test/service.ts'

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

test('logs tail prints each new request once, passes the filters on, and ends with 0 on Ctrl-C', async () => {
  let listed = [request(1)]
  const { baseUrl, asked } = await service(() => ok({ items: listed, next_cursor: null }))
  const tail = spawn(
    process.execPath,
    [main, 'logs', 'tail', '--json', '--status', '4xx', '--method', 'post', '--path', '/v1/payments'],
    {
      env: {
        PATH: process.env.PATH,
        HOME: '/nonexistent',
        GAPURA_BASE_URL: baseUrl,
        GAPURA_API_KEY: 'gp_test_x',
      },
    },
  )
  let output = ''
  tail.stdout.on('data', chunk => {
    output += chunk
  })
  await once(tail.stderr, 'data')
  await expect.poll(() => asked.length, { timeout: 30_000 }).toBeGreaterThanOrEqual(2)
  // The second request arrives late: it is older than the first.
  listed = [request(3), request(1), request(2, { created_at: '2026-11-20T03:04:04.000Z' })]
  await expect.poll(() => output.split('\n').length, { timeout: 30_000 }).toBe(3)
  const before = asked.length
  await expect.poll(() => asked.length, { timeout: 30_000 }).toBeGreaterThan(before)
  tail.kill('SIGINT')
  expect(await once(tail, 'exit')).toEqual([0, null])
  expect(
    output
      .trim()
      .split('\n')
      .map(line => JSON.parse(line).request_id),
  ).toEqual(['r-2', 'r-3'])
  const query = new URL(asked.at(-1)?.path ?? '', baseUrl).searchParams
  expect(Object.fromEntries(query)).toMatchObject({ status: '4xx', method: 'POST', path: '/v1/payments' })
})

test('logs get shows what failed, without control characters of a client', async () => {
  const { baseUrl } = await service(() => ok(request(1, { user_agent: 'shop\u001b[31m' })))
  const { stdout, exitCode } = await newHome().gapura(['logs', 'get', 'r-1'], {
    env: { GAPURA_BASE_URL: baseUrl, GAPURA_API_KEY: 'gp_test_x' },
  })
  expect(exitCode).toBe(0)
  expect(stdout).toContain('400 POST /v1/payments/create')
  expect(stdout).toMatch(/Field +amount/)
  expect(stdout).not.toContain('\u001b')
})
