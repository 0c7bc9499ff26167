// Reconciles a day with 100,000 payments. The report must contain exactly the differences that the test creates,
// and its memory use must not grow with the number of payments.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pg from 'pg'
import { beforeAll, expect, inject, test } from 'vitest'
import { type TestApp, testApp } from '../support/app.ts'
import { databaseUrl } from '../support/database-url.ts'
import { makeTenant } from '../support/make.ts'
import { logIn } from '../support/merchant.ts'
import { newAccount } from '../support/settlement.ts'

const COUNT = 100_000
const TENANTS = 4
const DATE = '2026-03-02'
const NOWHERE = 300
/** The number of differences of each kind that the test creates: one for every 500 payments. */
const EACH = COUNT / 500
/**
 * The maximum heap growth: 32 MiB. In a measured run, the heap grew by only 4 MiB. If the process held all of the day's
 * payments in memory, the heap would grow by about 100 MiB.
 */
const MAX_GROWTH_BYTES = 32 * 1024 * 1024

let { demo, databaseUrl: url }: TestApp = {} as TestApp
let owner: string
let accountId: string

const referenceOf = (n: number) => `GP260302-${String(n).padStart(10, '0')}`

/** Returns the settlement lines for the nth payment. Some payments have a deliberate difference. */
function linesOf(n: number): string {
  const line = `${referenceOf(n)},100000.00,paid,2026-03-02T12:00:00+07:00,tx-${n}\n`
  switch (n % 500) {
    case 1:
      return ''
    case 2:
      return line.replace('100000.00', '99999.99')
    case 3:
      return line + line
    case 4:
      return line + line.replace(',paid,', ',refunded,')
    default:
      return line
  }
}
const kindOf: Record<number, string> = {
  1: 'payments_provider missing_there',
  2: 'payments_provider amount',
  3: 'payments_provider duplicate',
  4: 'ledger_provider status',
  5: 'payments_provider missing_here',
  6: 'payments_ledger missing_there',
  7: 'payments_ledger amount',
}

/**
 * Inserts the payments as a superuser with triggers disabled, because triggers would reject the differences that the
 * test creates on purpose.
 */
async function seed(tenants: string[]): Promise<void> {
  const { adminUrl } = inject('databaseUrls')
  const name = new URL(url.replace('postgres:', 'http:')).pathname.slice(1)
  const client = new pg.Client({ connectionString: databaseUrl(adminUrl, name) })
  await client.connect()
  await client.query(
    `begin; set local session_replication_role = replica; set local synchronous_commit = off`,
  )
  await client.query(
    `create temp table seeded on commit drop as
     select n, ($1::uuid[])[1 + n % $2] as tenant_id, timestamptz '2026-03-02 00:00+07' + n * interval '0.8 s' as at,
            ('019cab0e-' || lpad(to_hex(n / 65536), 4, '0') || '-7000-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id
     from generate_series(1, $3::int) n`,
    [tenants, TENANTS, COUNT],
  )
  await client.query(
    `insert into payments (tenant_id, id, mode, payment_code, idempotency_key, fingerprint, amount, currency, method_type,
       channel, method_detail, status, provider, provider_account_id, expiry_minutes, expires_at, paid_at, amount_paid,
       created_at, updated_at)
     select tenant_id, id, 'live', 'GP260302-' || lpad(n::text, 10, '0'), n::text, sha256(n::text::bytea), 10000000, 'IDR',
       'qris', 'qris', '{}', case when n % 500 = 5 then 'pending' else 'paid' end, 'midtrans', $1, 60, at,
       case when n % 500 <> 5 then at end, case when n % 500 <> 5 then 10000000 end, at, at
     from seeded`,
    [accountId],
  )
  await client.query(
    `insert into payment_references (reference, tenant_id, payment_id, provider_account_id, provider, started_at)
     select 'GP260302-' || lpad(n::text, 10, '0'), tenant_id, id, $1, 'midtrans', at from seeded`,
    [accountId],
  )
  await client.query(
    `insert into ledger_entries (tenant_id, id, mode, version, payment_id, entry_type, amount, balance_after, reference_id,
       reason, created_at, counter_account)
     select tenant_id, id, 'live', n, id, 'credit', case when n % 500 = 7 then 9999999 else 10000000 end, n, 'r', 'r', at, $1
     from seeded where n % 500 not in (5, 6)`,
    [accountId],
  )
  await client.query('commit; analyze payments; analyze ledger_entries; analyze payment_references')
  await client.end()
}

beforeAll(async () => {
  const service = await testApp({ worker: false })
  ;({ demo, databaseUrl: url } = service)
  owner = await logIn(demo, demo.owner)
  accountId = await newAccount(demo, owner)
  const tenants = []
  for (let n = 0; n < TENANTS; n++) tenants.push(await makeTenant(service.app.db))
  await seed(tenants)
})

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void
const heapBytes = () => {
  collectGarbage()
  return process.memoryUsage().heapUsed
}

function* file(): Generator<Buffer> {
  yield Buffer.from('reference,amount,status,paid_at,provider_payment_id\n')
  let text = ''
  for (let n = 1; n <= COUNT + NOWHERE; n++) {
    text += linesOf(n <= COUNT ? n : n * 500)
    if (n % 1_000 === 0) {
      yield Buffer.from(text)
      text = ''
    }
  }
  yield Buffer.from(text)
}

test('reconciliation of 100,000 payments finds exactly the created differences with at most 32 MiB more heap', async () => {
  const idle = heapBytes()
  let highest = 0
  const measure = () => {
    highest = Math.max(highest, heapBytes() - idle)
  }
  const settlement = `${demo.base_url}/v1/providers/midtrans/accounts/${accountId}/settlements/${DATE}`
  const uploaded = await fetch(settlement, {
    method: 'PUT',
    headers: { authorization: owner, 'content-type': 'text/csv' },
    body: ReadableStream.from(file()),
    duplex: 'half',
  })
  measure()
  expect(((await uploaded.json()) as { data: object }).data).toMatchObject({
    lines: COUNT + NOWHERE - EACH + EACH + EACH,
    duplicates: EACH,
  })

  const found: Record<string, string[]> = {}
  let lines = 0
  let summary: { balanced: boolean; compared: object; counts: object } | undefined
  const progress: number[] = []
  for await (const line of linesFrom(`${demo.base_url}/v1/reports/reconciliation?date=${DATE}`)) {
    lines += 1
    if (line.type === 'summary') summary = line as never
    if (line.type === 'progress') {
      progress.push(line.done as number)
      expect(line.total).toBe(COUNT + NOWHERE)
      if (progress.length % 4 === 0) measure()
    }
    if (line.type === 'difference') {
      const kind = `${line.between} ${line.kind}`
      found[kind] = [...(found[kind] ?? []), String(line.reference)]
    }
  }
  expect(lines).toBe(progress.length + 1 + 7 * EACH + NOWHERE)
  expect(summary).toMatchObject({
    balanced: false,
    compared: { settlement: COUNT, inquiry: 0, unanswered: 0, books: 0, unknown_lines: NOWHERE },
    counts: {
      missing_here: EACH + NOWHERE,
      missing_there: 2 * EACH,
      amount: 2 * EACH,
      status: EACH,
      duplicate: EACH,
    },
  })
  const seeded = Object.groupBy(
    Array.from({ length: COUNT }, (_, n) => n + 1).filter(n => kindOf[n % 500] !== undefined),
    n => kindOf[n % 500] ?? '',
  )
  for (const [kind, numbers = []] of Object.entries(seeded)) {
    const nowhere =
      kind === 'payments_provider missing_here'
        ? Array.from({ length: NOWHERE }, (_, n) => (COUNT + 1 + n) * 500)
        : []
    expect(found[kind]?.sort()).toEqual([...numbers, ...nowhere].map(referenceOf).sort())
  }
  expect(progress[0]).toBe(0)
  expect(progress.at(-1)).toBe(COUNT + NOWHERE)
  expect(progress.length).toBeGreaterThan(40)
  expect(progress).toEqual(progress.toSorted((a, b) => a - b))
  expect(highest).toBeLessThan(MAX_GROWTH_BYTES)
})

async function* linesFrom(url: string): AsyncGenerator<{ type: string } & Record<string, unknown>> {
  const { body } = await fetch(url, { headers: { authorization: owner, accept: 'application/x-ndjson' } })
  let rest = ''
  const decoder = new TextDecoder()
  for await (const chunk of body ?? []) {
    const whole = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = whole.pop() ?? ''
    for (const line of whole) yield JSON.parse(line)
  }
}
