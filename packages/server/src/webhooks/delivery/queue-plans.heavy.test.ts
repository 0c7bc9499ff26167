// Tests which index PostgreSQL uses for queries on the webhook queue. The choice must not depend on the table's
// statistics, because PostgreSQL often collects the statistics while the table is empty.

import pg from 'pg'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { emptyDatabase } from '../../../test/support/database.ts'
import { makeTenant } from '../../../test/support/make.ts'
import { insertLeased, paidEvent } from '../../../test/support/webhook-listener.ts'
import type { Db } from '../../db/db.ts'
import { migrate } from '../../db/migrate/migrate.ts'
import { recordAttempts } from './attempt.sql.ts'
import {
  claimDueEvents,
  listOverdueTenants,
  loadLeasedEvents,
  releaseLeases,
  storeFollower,
} from './lease.sql.ts'
import type { Lease } from './lease.ts'

let db: Db
let tenantId: string
beforeAll(async () => {
  const database = await emptyDatabase()
  db = database.db
  await migrate(database.url)
  tenantId = await makeTenant(db, { callbackUrl: 'https://shop.example/hooks' })
  return database.drop
})

const leased = (count: number) =>
  insertLeased(
    db,
    Array.from({ length: count }, () => paidEvent(tenantId)),
  )

async function deliver(events: Lease[]): Promise<void> {
  const response = { responseStatus: 200, responseHeaders: null, responseBody: '', error: null }
  const ended = { startedAt: new Date(), durationMs: 1, ...response, signature: null }
  await recordAttempts(
    db,
    events.map(each => ({ ...each, ...ended })),
    1,
  )
}

/** Returns the SQL text of every prepared statement that reads the queue. */
async function statements(): Promise<string[]> {
  const queries = vi.spyOn(pg.Client.prototype, 'query')
  onTestFinished(() => queries.mockRestore())
  const [first, ...others] = (await leased(3)) as [Lease, ...Lease[]]
  await loadLeasedEvents(db, [first])
  await storeFollower(db, first)
  await releaseLeases(db, [first], new Date())
  await claimDueEvents(db, [{ tenantId, limit: 1 }], new Date(), new Date())
  await listOverdueTenants(db, new Date())
  await deliver([first, ...others])
  const texts = queries.mock.calls.map(([sent]) => (sent as unknown as { text: string }).text)
  return [...new Set(texts)].filter(
    text => /\bwebhook_queue\b/.test(text) && !/insert into webhook_events/.test(text),
  )
}

/**
 * Returns the indexes and conditions in a statement's generic plan (the plan that PostgreSQL makes without knowing the
 * parameter values).
 */
async function readsOf(text: string): Promise<string[]> {
  const { rows } = await db.raw(`explain (generic_plan, format json) ${text}`)
  type Plan = {
    Plans?: Plan[]
    'Relation Name'?: string
    'Node Type': string
    'Index Name'?: string
    'Index Cond'?: string
  }
  const reads = (plan: Plan): string[] => [
    ...(plan['Relation Name'] === 'webhook_queue' && plan['Node Type'] !== 'ModifyTable'
      ? [`${plan['Node Type']} ${plan['Index Name']} ${plan['Index Cond'] ?? 'of everything'}`]
      : []),
    ...(plan.Plans ?? []).flatMap(reads),
  ]
  return reads(rows[0]['QUERY PLAN'][0].Plan)
}

const isSweep = (text: string) => text.startsWith('with recursive')
const byKey = /^Index (Only )?Scan .*tenant_id = .*\bevent_id = /
const byWhatIsDue = /^Index (Only )?Scan webhook_queue_due .*tenant_id = .*next_attempt_at <= /
/** Matches a query plan that jumps from tenant to tenant in an index and reads one row for each tenant. */
const byTenant = /^Index (Only )?Scan webhook_queue_due (of everything|.*tenant_id > )/

test('every query on the webhook queue uses an index, whatever table statistics PostgreSQL has', async () => {
  const texts = await statements()
  expect(texts).toHaveLength(6)
  const rowsAreLookedUp = async () => {
    for (const text of texts)
      for (const read of await readsOf(text))
        expect(
          byKey.test(read) || byWhatIsDue.test(read) || (isSweep(text) && byTenant.test(read)),
          `${read}\n${text}`,
        ).toBe(true)
  }
  await rowsAreLookedUp()
  await db.raw('vacuum analyze webhook_queue')
  await rowsAreLookedUp()
  await deliver(await leased(2_000))
  await db.raw('vacuum analyze webhook_queue')
  await rowsAreLookedUp()
})
