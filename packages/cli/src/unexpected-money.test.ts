import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { failure, ok, service } from '../test/service.ts'

const document = JSON.parse(readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'))
const exampleOf = (method: string, path: string) =>
  document.paths[path][method].responses[200].content['application/json'].example.data
const money = exampleOf('get', '/v1/unexpected-money/{id}')
const unknown = exampleOf('get', '/v1/unknown-payments').items[0]
const outcome = exampleOf('post', '/v1/unknown-payments/{payment_id}/inquire')
const page = (...items: object[]) => ok({ items, next_cursor: null })

const gapura = (baseUrl: string, ...args: string[]) =>
  newHome().gapura(args, { env: { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' } })
const rowsOf = (stdout: string) =>
  stdout
    .trimEnd()
    .split('\n')
    .map(line => line.split(/ {2,}/))

test('the CLI lists unexpected money (money that matches no open payment) with its amounts, and applies the filters', async () => {
  const { baseUrl, asked } = await service(() => page(money))
  const filter = ['--status', 'open', '--kind', 'overpaid', '--provider', 'midtrans', '--payment', 'p']
  const { stdout, exitCode } = await gapura(baseUrl, 'unexpected-money', 'list', ...filter)
  expect(exitCode).toBe(0)
  const query = Object.fromEntries(new URL(asked[0]?.path ?? '', baseUrl).searchParams)
  expect(query).toEqual({
    status: 'open',
    kind: 'overpaid',
    provider: 'midtrans',
    payment_id: 'p',
    limit: '20',
  })
  expect(rowsOf(stdout)).toEqual([
    ['ID', 'KIND', 'STATUS', 'AMOUNT', 'IN LEDGER', 'RECEIVED', 'PROVIDER', 'REFERENCE', 'PAYMENT'],
    [
      ...[money.id, 'overpaid', 'open', 'Rp 120.000', 'yes', '2026-11-20 10:04', 'midtrans'],
      ...[money.reference, money.payment_id],
    ],
  ])
})

test('the CLI shows all details of an unexpected money record; with --json, it prints the service’s response unchanged', async () => {
  const { baseUrl } = await service(() => ok(money))
  const { stdout } = await gapura(baseUrl, 'unexpected-money', 'show', money.id)
  expect(stdout).toContain('Rp 120.000 (overpaid) is open\n')
  expect(stdout).toMatch(/^Payment amount +Rp 100\.000$/m)
  const { stdout: json } = await gapura(baseUrl, 'unexpected-money', 'show', money.id, '--json')
  expect(JSON.parse(json)).toEqual(money)
})

test.each([
  ['accept', ['--reason', 'a tip'], { reason: 'a tip' }],
  ['assign', ['--payment', 'p', '--reason', 'old account', '-y'], { payment_id: 'p', reason: 'old account' }],
  ['accept', ['--reason', 'a refund', '--amount', '500'], { reason: 'a refund', amount: 500 }],
  ['dismiss', ['--reason', 'borne by us', '-y'], { reason: 'borne by us' }],
  ['refund', ['--reason', 'twice', '-y'], { reason: 'twice' }],
  ['refund', ['--reason', 'twice', '--amount', '500', '-y'], { reason: 'twice', amount: 500 }],
])(
  'gapura unexpected-money %s sends the decision %j to the service and prints the record with its new status',
  async (verb, flags, body) => {
    const { baseUrl, asked } = await service(() => ok({ ...money, status: 'accepted', reason: 'a tip' }))
    const { stdout, exitCode } = await gapura(baseUrl, 'unexpected-money', verb, money.id, ...flags)
    expect(exitCode).toBe(0)
    expect(asked).toMatchObject([{ method: 'POST', path: `/v1/unexpected-money/${money.id}/${verb}`, body }])
    expect(asked[0]?.body).toEqual(body)
    expect(stdout).toContain('is accepted\n')
  },
)

test('a decision on unexpected money requires a reason, and an irreversible decision also requires a confirmation', async () => {
  const { baseUrl, asked } = await service(() => ok(money))
  for (const command of [
    ['unexpected-money', 'refund', 'm', '--reason', 'twice'],
    ['unexpected-money', 'assign', 'm', '--payment', 'p', '--reason', 'old account'],
    ['unknown-payments', 'resolve', 'p', '--not-created', '--reason', 'nothing there'],
    ['unexpected-money', 'accept', 'm'],
    ['unknown-payments', 'resolve', 'p', '--reason', 'nothing there', '-y'],
  ]) {
    const { exitCode, stderr } = await gapura(baseUrl, ...command)
    expect(exitCode, stderr).toBe(2)
  }
  expect(asked).toEqual([])
})

test('a second decision on unexpected money fails with a one-line error', async () => {
  const message = 'conflict: this record was already refunded at 2026-11-20T05:00:00.000Z: twice'
  const { baseUrl } = await service(() => failure(409, 'CONFLICT', message))
  const { exitCode, stderr } = await gapura(baseUrl, 'unexpected-money', 'accept', 'm', '--reason', 'a tip')
  expect([exitCode, stderr]).toEqual([1, `gapura: ${message}; check the current state before you continue\n`])
})

test('charges with an unknown outcome show the time of their next status inquiry, or “manual”', async () => {
  const yours = { ...unknown, next_inquiry_at: null, waits_for_operator: true }
  const { baseUrl, asked } = await service(() => page(unknown, yours))
  const { stdout } = await gapura(baseUrl, 'unknown-payments', 'list')
  expect(asked[0]?.path).toBe('/v1/unknown-payments?limit=20')
  const [head, ...rows] = rowsOf(stdout)
  expect(head?.[5]).toBe('NEXT INQUIRY')
  expect(rows.map(row => row[5])).toEqual(['2026-11-20 11:10', 'manual'])
})

test('the CLI can send a status inquiry about a charge with an unknown outcome, and can record the outcome', async () => {
  const { baseUrl, asked } = await service(() => ok(outcome))
  const { stdout } = await gapura(baseUrl, 'unknown-payments', 'inquire', 'p')
  expect(stdout).toContain('Outcome: pending\n')
  const flags = ['--not-created', '--reason', 'nothing there', '-y']
  await gapura(baseUrl, 'unknown-payments', 'resolve', 'p', ...flags)
  expect(asked).toMatchObject([
    { method: 'POST', path: '/v1/unknown-payments/p/inquire' },
    {
      method: 'POST',
      path: '/v1/unknown-payments/p/resolve',
      body: { decision: 'not_created', reason: 'nothing there' },
    },
  ])
})

test("payments attempts lists a payment's charge attempts in the order in which they were made", async () => {
  const [second] = exampleOf('get', '/v1/payments/{payment_id}/attempts')
  const attempts = [
    { ...second, number: 1, provider: 'xendit', outcome: 'not_created', reason: 'HTTP 503' },
    { ...second, number: 2, reference: `${second.reference}-2` },
  ]
  const { baseUrl } = await service(() => ok(attempts))
  const { stdout } = await gapura(baseUrl, 'payments', 'attempts', 'p')
  expect(
    rowsOf(stdout).map(row =>
      row
        .map(cell => cell.trim())
        .filter(Boolean)
        .slice(0, 4),
    ),
  ).toEqual([
    ['ATTEMPT', 'PROVIDER', 'REFERENCE', 'OUTCOME'],
    ['1', 'xendit', attempts[0].reference, 'not_created'],
    ['2', 'midtrans', attempts[1].reference, 'accepted'],
  ])
})
