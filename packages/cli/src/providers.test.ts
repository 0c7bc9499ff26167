import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { ok, service } from '../test/service.ts'

const well = {
  account_id: '01990000-0000-7000-8000-000000000014',
  provider_code: 'midtrans',
  name: 'Midtrans of PT Toko Budi',
  mode: 'live',
  enabled: true,
  circuit: 'closed',
  since: null,
  calls: 0,
  failures: 0,
  slow: 0,
  failure_rate: null,
  p50_latency_ms: null,
  p95_latency_ms: null,
  window_seconds: 60,
  next_probe_at: null,
}
const figures = {
  calls: 48,
  failures: 36,
  slow: 2,
  failure_rate: 0.754,
  p50_latency_ms: 310,
  p95_latency_ms: 10_250,
}
const accounts = [
  well,
  { ...well, ...figures, name: 'Second', circuit: 'open', since: '2026-11-20T03:04:05.678Z' },
  { ...well, name: 'Third', circuit: 'half_open' },
  { ...well, name: 'Fourth', enabled: false },
]

test('gapura providers health lists all provider accounts with their state, number of charges and share of failed charges', async () => {
  const { baseUrl, asked } = await service(() => ok({ items: accounts, next_cursor: null }))
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' }
  const { stdout, exitCode } = await newHome().gapura(['providers', 'health'], { env })
  expect(exitCode).toBe(0)
  expect(asked.map(({ method, path }) => [method, path])).toEqual([['GET', '/v1/provider-health']])
  const [head, ...rows] = stdout
    .trimEnd()
    .split('\n')
    .map(line => line.split(/ {2,}/))
  expect(head).toEqual([
    'PROVIDER',
    'MODE',
    'NAME',
    'STATE',
    'CHARGES',
    'FAILED',
    'SLOW',
    'P50',
    'P95',
    'SINCE',
    'ID',
  ])
  expect(rows.map(row => row.slice(2, 5))).toEqual([
    ['Midtrans of PT Toko Budi', 'healthy', '0'],
    ['Second', 'unhealthy', '48'],
    ['Third', 'recovering', '0'],
    ['Fourth', 'disabled', '0'],
  ])
  expect(rows[1]?.slice(5)).toEqual(['75 %', '2', '310 ms', '10.250 ms', '2026-11-20 10:04', well.account_id])
})

test("with --json, gapura providers health prints the service's response unchanged", async () => {
  const list = { items: accounts, next_cursor: null }
  const { baseUrl } = await service(() => ok(list))
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' }
  const { stdout } = await newHome().gapura(['providers', 'health', '--json'], { env })
  expect(JSON.parse(stdout)).toEqual(list)
})
