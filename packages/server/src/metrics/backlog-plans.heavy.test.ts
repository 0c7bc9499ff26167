// Checks the query plans for backlog metrics, such as the number of unprocessed callbacks. These queries must not scan
// the rows of finished work, because there may be millions of such rows.

import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { emptyDatabase } from '../../test/support/database.ts'
import { makeTenant } from '../../test/support/make.ts'
import { insertLeased, paidEvent } from '../../test/support/webhook-listener.ts'
import { migrate } from '../db/migrate/migrate.ts'
import { readBacklog } from './backlog.sql.ts'

const { db, url, drop } = await emptyDatabase()

type Plan = { Plans?: Plan[]; 'Relation Name'?: string; 'Node Type': string; 'Index Name'?: string }
const reads = (plan: Plan): string[] => [
  ...(plan['Relation Name']
    ? [`${plan['Relation Name']}: ${plan['Node Type']} ${plan['Index Name'] ?? ''}`.trim()]
    : []),
  ...(plan.Plans ?? []).flatMap(reads),
]

test('the backlog metric queries find waiting rows through indexes, even without statistics', async () => {
  onTestFinished(drop)
  await migrate(url)
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  await readBacklog(db)
  const texts = queries.mock.calls.map(([sent]) => (sent as unknown as { text?: string }).text ?? '')
  const place = texts.findIndex(sent => sent.includes('with recursive callback'))
  const [asked = '', text] = texts.slice(place - 1, place + 1)
  queries.mockRestore()
  const plan = async () => {
    const { rows } = await db.transaction(
      async (tx): Promise<{ rows: [{ 'QUERY PLAN': [{ Plan: Plan }] }] }> => {
        await tx.raw(asked)
        return tx.raw(`explain (generic_plan, format json) ${text}`)
      },
    )
    return [...new Set(reads(rows[0]['QUERY PLAN'][0].Plan))].filter(
      read => !/^(workers|_private_jobs):/.test(read),
    )
  }
  const isOfWhatWaits = (read: string) =>
    /^provider_callbacks\w*: Index (Only )?Scan .*(received_at|unapplied)/.test(read) ||
    /^payments: Index (Only )?Scan payments_(unknown|due_by_tenant)$/.test(read) ||
    /^webhook_queue: Index (Only )?Scan webhook_queue_due$/.test(read) ||
    /^additional_deliveries: Index (Only )?Scan additional_deliveries_due$/.test(read) ||
    /^additional_endpoints: Index (Only )?Scan additional_endpoints_pkey$/.test(read) ||
    /^unexpected_money: Index (Only )?Scan unexpected_money_by_status$/.test(read) ||
    /^ledger_differences: Index (Only )?Scan ledger_differences_by_time$/.test(read) ||
    /^reconciliation_differences: Index (Only )?Scan reconciliation_differences_(open|untold|matter)$/.test(
      read,
    ) ||
    /^reconciliation_checks: Index (Only )?Scan reconciliation_checks_waiting$/.test(read) ||
    // A full scan of ledger_verifications and reconciliation_runs is allowed, because these tables grow by
    // only one or two rows per day.
    /^(ledger_verifications|reconciliation_runs): /.test(read) ||
    // The table `unreadable_callbacks` contains only pending rows, so the query finds only pending rows with
    // any index of this table.
    /^unreadable_callbacks: Index (Only )?Scan /.test(read)
  const expectIndexes = async () => {
    const found = await plan()
    expect(found.length).toBeGreaterThanOrEqual(5)
    expect(found.filter(read => !isOfWhatWaits(read))).toEqual([])
  }
  await expectIndexes()
  const tenantId = await makeTenant(db)
  await insertLeased(
    db,
    Array.from({ length: 2_000 }, () => paidEvent(tenantId)),
  )
  await db.raw('vacuum analyze')
  await expectIndexes()
})
