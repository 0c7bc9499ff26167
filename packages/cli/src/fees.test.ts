import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { newHome } from '../test/gapura.ts'
import { service } from '../test/service.ts'

const directory = mkdtempSync(join(tmpdir(), 'gapura-fees-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

const xlsx = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const statement = ['fees', 'statement', '2026-11', '--tenant', '01990000-0000-7000-8000-000000000002']

/** Starts a fake service that responds with the media type the request accepts. */
async function files() {
  const { baseUrl, asked } = await service(({ headers: { accept } }) => ({
    ...{ status: 200, headers: { 'content-type': String(accept) } },
    body: accept === 'text/csv' ? 'day,count\r\n' : 'PK\x03\x04',
  }))
  return { asked, env: { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' } }
}

test.each([
  ['report', ['fees', 'report', '--by', 'day']],
  ['statement', statement],
])(
  'the fee %s is printed as CSV with --csv, and saved as an Excel workbook with --xlsx',
  async (name, command) => {
    const { env, asked } = await files()
    const home = newHome()
    expect((await home.gapura([...command, '--csv'], { env })).stdout).toBe('day,count\r\n')
    const file = join(directory, `${name}.xlsx`)
    const { exitCode, stdout, stderr } = await home.gapura([...command, '--xlsx', file], { env })
    expect([exitCode, stdout, stderr]).toEqual([0, '', `saved as ${file}\n`])
    expect(readFileSync(file, 'latin1')).toBe('PK\x03\x04')
    expect(asked.map(({ headers }) => headers.accept)).toEqual(['text/csv', xlsx])
  },
)

test('gapura fees rejects --csv with --json, and fails if the output file cannot be written', async () => {
  const { env } = await files()
  const file = join(directory, 'missing', 'fees.xlsx')
  const missing = await newHome().gapura([...statement, '--xlsx', file], { env })
  expect([missing.exitCode, missing.stderr]).toEqual([
    2,
    expect.stringContaining('cannot be written: ENOENT'),
  ])
  const both = await newHome().gapura([...statement, '--csv', '--json'], { env })
  expect(both.stderr).toContain('--csv and --json cannot be combined')
})

test("gapura fees statement shows a Partner's margins and how much of them has been credited", async () => {
  const amounts = { count: 2, net: 100_002, tax: 11_000, total: 111_002 }
  const bca = { method_type: 'virtual_account', channel: 'bca', ...amounts }
  const margins = {
    items: [{ tenant_id: '01990000-0000-7000-8000-000000000003', tenant_name: 'Toko Budi', ...bca }],
    ...amounts,
    ...{ uncredited_before: 55_501, credits: 3, credited: 99_903, uncredited_after: 66_600 },
  }
  const data = { items: [], count: 0, net: 0, tax: 0, total: 0, margins }
  const { baseUrl } = await service(() => ({ status: 200, body: JSON.stringify({ success: true, data }) }))
  const env = { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' }
  const { stdout, stderr } = await newHome().gapura(['fees', 'statement', '2026-11'], { env })
  expect(stdout).toMatch(/CLIENT\s+METHOD[\s\S]*Toko Budi\s+virtual_account\s+bca\s+2/)
  expect((stdout + stderr).replaceAll('\u00a0', ' ')).toContain(
    'credited in this month: Rp 999,03 in 3 ledger entries; not yet credited at the start of the month: Rp 555,01, at its end: Rp 666',
  )
})
