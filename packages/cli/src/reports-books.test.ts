import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { ok, service } from '../test/service.ts'

const document = JSON.parse(readFileSync(new URL('../../../openapi/openapi.json', import.meta.url), 'utf8'))
const media = document.paths['/v1/reports/books'].get.responses[200].content['application/json']
const totals = media.examples.live_mode.value.data

async function books(data: object, ...flags: string[]) {
  const { baseUrl, asked } = await service(() => ok(data))
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' }
  return { ...(await newHome().gapura(['reports', 'books', ...flags], { env })), asked }
}

test('reports books shows the totals over all tenants’ ledgers as a table with one row per provider account', async () => {
  const { exitCode, stdout, stderr, asked } = await books(totals, '--mode', 'live')
  expect(asked.map(({ path }) => path)).toEqual(['/v1/reports/books?mode=live'])
  const lines = stdout.split('\n')
  const [{ id, name }] = totals.provider_accounts
  expect(lines).toContainEqual(expect.stringMatching(`^owed by midtrans, ${name} +Rp 100.000  ${id}$`))
  expect(lines).toContainEqual(expect.stringMatching(/^positive balances of merchants +Rp 74.783$/))
  expect(lines).toContainEqual(expect.stringMatching(/^fees of the operator +Rp 5.217$/))
  expect(lines).toContainEqual(expect.stringMatching(/^refunds in transit +Rp 20.000$/))
  expect([exitCode, stderr]).toEqual([0, "In live mode, the accounts of every tenant's book sum to zero.\n"])
})

test('gapura reports books exits with 1 if a tenant’s accounts do not sum to zero', async () => {
  const differing = { ...totals, sum: -700, unbalanced_books: 1, balanced: false }
  const { exitCode, stdout, stderr } = await books(differing)
  expect(exitCode).toBe(1)
  expect(stdout).toContain('owed by midtrans')
  expect(stderr).toContain('1 book does not sum to zero; all accounts sum to -Rp 7')
  const json = await books(differing, '--json')
  expect([json.exitCode, JSON.parse(json.stdout)]).toEqual([1, differing])
})

test("with --json, reports books prints the totals in cents, unchanged from the API's response", async () => {
  const { exitCode, stdout, stderr } = await books(totals, '--json')
  expect([exitCode, JSON.parse(stdout), stderr]).toEqual([0, totals, ''])
})
