// Tests how workers claim payments whose status inquiry is due. Claims must be fair across provider accounts and
// tenants, and the cost of a claim must not grow with the number of due payments.

import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { emptyDatabase } from '../../../test/support/database.ts'
import { later, makePayment, now } from '../../../test/support/make.ts'
import { type Sent, sentWhile } from '../../../test/support/sent-statements.ts'
import type { Db, Tx } from '../../db/db.ts'
import { migrate } from '../../db/migrate/migrate.ts'
import { readBacklog } from '../../metrics/backlog.sql.ts'
import { newId } from '../../values/id.ts'
import { insertPaymentInBatch } from '../payment.sql.ts'
import { type ClaimLimits, claimDuePayments } from './next-check.sql.ts'

const BACKLOG = 200_000
const FREE_SLOTS = 500
const [behind, other] = [newId(), newId()]
const claimLimits = {
  ...{ freeSlots: FREE_SLOTS, slotsOfAccounts: [], slotsOfOtherAccounts: FREE_SLOTS / 2 },
  ...{ slotsOfTenants: [], lastTenants: [] },
}
const until = later(60_000)

let db: Db
let drop: () => Promise<void>
beforeAll(async () => {
  const database = await emptyDatabase()
  ;({ db, drop } = database)
  await migrate(database.url)
})
afterAll(() => drop())

const insertDue = async (providerAccountId: string, nextCheckAt: Date) => {
  const payment = makePayment({ providerAccountId, status: 'charging', transitionCount: 0, nextCheckAt })
  await insertPaymentInBatch(db, payment)
  return payment
}

/**
 * Inserts copies of a payment with SQL. In the SQL expressions `tenantId` and `nextCheckAt`, `p` is the copied
 * payment and `n` is the number of the copy.
 */
async function insertCopies(
  id: string,
  { from, to, tenantId, nextCheckAt }: { from: number; to: number; tenantId: string; nextCheckAt: string },
): Promise<void> {
  const { rows } = await db.raw(
    `select string_agg('p.' || quote_ident(attname), ', ') as values, string_agg(quote_ident(attname), ', ') as columns
     from pg_attribute
     where attrelid = 'payments'::regclass and attnum > 0 and not attisdropped
       and attname not in ('tenant_id', 'id', 'payment_code', 'idempotency_key', 'next_check_at')`,
  )
  const { columns, values } = rows[0]
  for (let first = from; first < to; first += PAGE)
    await db.raw(
      `insert into payments (tenant_id, id, payment_code, idempotency_key, next_check_at, ${columns})
       select ${tenantId}, gen_random_uuid(), 'GP260101-' || translate(lpad(upper(to_hex(n)), 10, '0'), 'ILOU', '0000'),
              'copy-' || n, ${nextCheckAt}, ${values}
       from payments p, generate_series(:first::integer, :last::integer) n where p.id = :id`,
      { first, last: Math.min(first + PAGE, to) - 1, id },
    )
}
const PAGE = 20_000

/**
 * Inserts `count` due payments of one tenant at the provider account `behind`. Each becomes due a millisecond after the
 * previous one.
 */
async function insertBacklog(count: number): Promise<string> {
  const { id } = await insertDue(behind, later(-3_600_000))
  // Drops an index that the tests do not need, because inserting copies is faster without it.
  await db.raw('drop index payments_by_kind')
  const nextCheckAt = `p.next_check_at + n * interval '1 millisecond'`
  await insertCopies(id, { from: 1, to: count, tenantId: 'p.tenant_id', nextCheckAt })
  return id
}

type Plan = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}
/**
 * Measures what claiming due payments costs, and rolls the claim back. Returns the indexes used, the total number of
 * pages read, and the number of rows read from `payments`.
 */
async function costOfClaim(limits: ClaimLimits = claimLimits) {
  const tx = await db.transaction()
  try {
    const [sent] = await sentWhile(() => claimDuePayments(tx, now, until, limits))
    await tx.raw('savepoint explained')
    return await costOf(tx, sent as Sent)
  } finally {
    await tx.rollback()
  }
}
async function costOf(tx: Tx, { text, values }: Sent) {
  const client = await tx.client.acquireConnection()
  const { rows } = await client.query(`explain (analyze, buffers, format json) ${text}`, values)
  const { Plan: plan } = rows[0]['QUERY PLAN'][0]
  const scans = scansOf(plan)
  return {
    pages: plan['Shared Hit Blocks'] + plan['Shared Read Blocks'],
    rowsRead: scans.reduce((sum, scan) => sum + scan['Actual Rows'] * scan['Actual Loops'], 0),
    indexes: [...new Set(scans.map(scan => scan['Index Name'] ?? scan['Node Type']))].sort(),
  }
}
const scansOf = (plan: Plan): Plan[] => [
  ...(plan['Relation Name'] === 'payments' && plan['Node Type'] !== 'ModifyTable' ? [plan] : []),
  ...(plan.Plans ?? []).flatMap(scansOf),
]

describe('claiming stays cheap and includes others if one tenant has 200,000 due payments at one account', () => {
  let copied: string
  beforeAll(async () => {
    copied = await insertBacklog(BACKLOG)
  })

  test.each(['before the table was analyzed', 'after'])(
    'selecting payments for status inquiries uses an index and reads fewer than 1,500 rows, even if 200,000 payments are due: %s',
    async when => {
      if (when === 'after') await db.raw('vacuum analyze payments')
      const { rowsRead, indexes } = await costOfClaim()
      expect(indexes).toEqual(['payments_due_by_tenant', 'payments_pkey'])
      expect(rowsRead).toBeLessThan(3 * FREE_SLOTS)
    },
  )

  test('claiming due payments does not read payments of an account without a free inquiry slot', async () => {
    const { rowsRead, pages } = await costOfClaim({
      ...claimLimits,
      slotsOfAccounts: [{ accountId: behind, room: 0 }],
    })
    expect(rowsRead).toBeLessThan(10)
    expect(pages).toBeLessThan(100)
  })

  test("an account's only due payment is in the first batch, despite another account's 200,000 due payments", async () => {
    const { id } = await insertDue(other, now)
    const claimed = await claimDuePayments(db, now, until, claimLimits)
    expect(claimed.map(payment => payment.id)).toContain(id)
    expect(claimed.filter(payment => payment.providerAccountId === behind)).toHaveLength(188)
    expect(claimed).toHaveLength(189)
  })

  test("a tenant's only due payment is in the first batch, despite another tenant's 200,000 at the same account", async () => {
    const { id } = await insertDue(behind, now)
    const claimed = await claimDuePayments(db, now, until, claimLimits)
    expect(claimed.map(payment => payment.id)).toContain(id)
  })

  test('the metric for overdue status inquiries reads few payments, even if 200,000 payments are due', async () => {
    const [sent] = (await sentWhile(() => readBacklog(db))).filter(({ text }) => text.startsWith('with'))
    const tx = await db.transaction()
    try {
      const { rowsRead, indexes } = await costOf(tx, sent as Sent)
      expect(indexes).not.toContain('payments_due')
      expect(rowsRead).toBeLessThan(11_000)
    } finally {
      await tx.rollback()
    }
  })

  test('for a tenant without due payments, claiming due payments reads only one index entry', async () => {
    const at = later(60_000).toISOString()
    const others = { tenantId: `md5('tenant ' || n % 1000)::uuid`, nextCheckAt: `timestamptz '${at}'` }
    await insertCopies(copied, { from: BACKLOG, to: BACKLOG + 20_000, ...others })
    await db.raw('vacuum analyze payments')
    const { rowsRead, indexes } = await costOfClaim()
    expect(indexes).toEqual(['payments_due_by_tenant', 'payments_pkey'])
    expect(rowsRead).toBeLessThan(1_000 + 3 * FREE_SLOTS)
  })
})
