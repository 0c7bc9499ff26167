import { writeFileSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { newHome } from '../test/gapura.ts'

const counts = { missing_here: 0, missing_there: 0, amount: 0, status: 0, duplicate: 0 }
const compared = { settlement: 2, inquiry: 0, unanswered: 0, books: 0, unknown_lines: 0 }
const summary = {
  type: 'summary',
  date: '2026-11-20',
  source: 'auto',
  items: [],
  compared,
  counts,
  balanced: true,
}
const difference = {
  type: 'difference',
  kind: 'amount',
  between: 'payments_provider',
  mode: 'live',
  reference: 'GP261120-7Q4M2ZK8XW',
  provider: 'midtrans',
  our_status: 'paid',
  our_amount: 10_000_000,
  ledger_amount: 10_000_000,
  their_status: 'paid',
  their_amount: 9_999_900,
  detail: 'the settled amount differs from the paid amount',
}
const differing = { ...summary, counts: { ...counts, amount: 1 }, balanced: false }
const progress = (done: number) => ({ type: 'progress', done, total: 2_000 })

type Asked = { method: string; url: string; accept: string; body: string }

/** Starts a fake service. It calls `answer` for each request, and `answer` must send the response. */
async function service(answer: (asked: Asked, response: ServerResponse) => void) {
  const asked: Asked[] = []
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { method = '', url = '', headers } = request
    const one = { method, url, accept: headers.accept ?? '', body: Buffer.concat(chunks).toString() }
    asked.push(one)
    answer(one, response)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { asked, env: { GAPURA_BASE_URL: baseUrl, GAPURA_ACCESS_TOKEN: 'token' } }
}
const told =
  (...lines: object[]) =>
  (_: Asked, response: ServerResponse) =>
    void response
      .writeHead(200, { 'content-type': 'application/x-ndjson' })
      .end(lines.map(line => `${JSON.stringify(line)}\n`).join(''))
const json = (status: number, body: object) => (_: Asked, response: ServerResponse) =>
  void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))

const reconcile = ['reports', 'reconcile', '--date', '2026-11-20']

test('for a day without differences, reports reconcile exits with 0 and prints how many payments it compared', async () => {
  const { env, asked } = await service(told(progress(0), progress(2), summary))
  const { exitCode, stdout, stderr } = await newHome().gapura([...reconcile, '--source', 'settlement'], {
    env,
  })
  expect([exitCode, stdout]).toEqual([0, ''])
  expect(stderr).toBe('Compared for 2026-11-20: 2 payments with settlements.\nNo differences.\n')
  expect(asked[0]?.url).toBe('/v1/reports/reconciliation?date=2026-11-20&source=settlement')
})

test('gapura reports reconcile prints the differences and their number per kind, and exits with 1', async () => {
  const { env } = await service(told(progress(0), difference, differing))
  const { exitCode, stdout, stderr } = await newHome().gapura(reconcile, { env })
  expect(exitCode).toBe(1)
  expect(stdout.split('\n')[1]).toMatch(
    /^amount +payments and provider +GP261120-7Q4M2ZK8XW +paid Rp 100\.000 +Rp 100\.000 +paid Rp 99\.999 +midtrans/,
  )
  expect(stderr).toContain('gapura: 1 difference in 2026-11-20: 1 amount; check each')
})

test('with --json, the command `reports reconcile` prints all differences as one JSON document', async () => {
  const { env } = await service(told(progress(0), difference, differing))
  const { exitCode, stdout } = await newHome().gapura([...reconcile, '--json'], { env })
  const { type, ...rest } = difference
  expect([exitCode, JSON.parse(stdout).differences]).toEqual([1, [rest]])
})

test('with --csv, reports reconcile prints the service’s rows unchanged, and exits with 1 for differences', async () => {
  const head = 'kind,reference\r\n'
  for (const [rows, code] of [
    ['', 0],
    ['amount,A\r\n', 1],
  ] as const) {
    const { env, asked } = await service(
      (_, response) => void response.writeHead(200, { 'content-type': 'text/csv' }).end(head + rows),
    )
    const { exitCode, stdout } = await newHome().gapura([...reconcile, '--csv'], { env })
    expect([exitCode, stdout]).toEqual([code, head + rows])
    expect(asked[0]?.accept).toBe('text/csv')
  }
})

test('reports reconcile shows its progress on a terminal and erases the progress line at the end', async () => {
  const { env } = await service(told(progress(0), progress(1_500), summary))
  const { stderr } = await newHome().gapura(reconcile, { env, columns: 80 })
  expect(stderr).toContain(
    '\r\x1b[K0 of 2.000 compared\r\x1b[K1.500 of 2.000 compared\r\x1b[KCompared for 2026-11-20: 2 payments',
  )
})

test('if a reconciliation report fails midway, the CLI exits with an error instead of reporting no differences', async () => {
  const { env } = await service(told(progress(0)))
  const { exitCode, stderr } = await newHome().gapura(reconcile, { env })
  expect(exitCode).toBe(1)
  expect(stderr).toContain('no response from')
})

test('settlements upload sends a settlement file to the service and prints the result', async () => {
  const settlement = {
    date: '2026-11-20',
    lines: 1,
    amount: 10_000_000,
    fees: 0,
    duplicates: 0,
    uploaded_at: '2026-11-21T00:00:00Z',
  }
  const { env, asked } = await service(json(200, { success: true, data: settlement }))
  const home = newHome()
  const file = join(home.file, '../../settlement.csv')
  writeFileSync(file, 'reference,amount\nA,100000\n')
  const upload = ['settlements', 'upload', 'midtrans', 'account', '2026-11-20', file]
  const { exitCode, stdout } = await home.gapura(upload, { env })
  expect(exitCode).toBe(0)
  expect(stdout).toContain('gapura reports reconcile --date 2026-11-20')
  expect(stdout).toContain('Rp 100.000')
  expect(asked[0]).toMatchObject({
    method: 'PUT',
    url: '/v1/providers/midtrans/accounts/account/settlements/2026-11-20',
    body: 'reference,amount\nA,100000\n',
  })
  expect(JSON.parse((await home.gapura([...upload, '--json'], { env })).stdout)).toEqual(settlement)
})

test('settlements upload names the file if one of its lines is invalid, and rejects a missing file', async () => {
  const message = 'bad request: line 2, column amount: must be above 0'
  const { env } = await service(json(400, { success: false, error: { code: 'BAD_REQUEST', message } }))
  const home = newHome()
  const file = join(home.file, '../../settlement.csv')
  writeFileSync(file, 'reference,amount\nA,0\n')
  const upload = (path: string) =>
    home.gapura(['settlements', 'upload', 'midtrans', 'a', '2026-11-20', path], { env })
  const bad = await upload(file)
  expect([bad.exitCode, bad.stderr]).toEqual([1, `gapura: ${message}; correct ${file} and upload it again\n`])
  const gone = await upload(`${file}.none`)
  expect(gone.exitCode).toBe(2)
  expect(gone.stderr).toContain('cannot be read')
})
