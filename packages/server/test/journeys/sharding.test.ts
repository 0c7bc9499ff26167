// Checks that the database could be sharded by tenant, for instance with Citus (docs/guides/scaling.md). Every
// planned SQL statement in a payment's lifecycle must select only one tenant's rows, and every unique index must
// include the tenant. This file lists the exceptions to these rules, with reasons. db/placement.ts declares where
// each table's rows are stored.

import pg from 'pg'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { type Placement, placements } from '../../src/db/placement.ts'
import { changeFeeSchedule } from '../../src/fees/change-fee-schedule.ts'
import { startWorker } from '../../src/jobs/worker.ts'
import { testApp } from '../support/app.ts'
import { atEnd } from '../support/at-end.ts'
import { callsAs } from '../support/management-api.ts'
import { logIn, merchantOf, receiver, simulate, until } from '../support/merchant.ts'
import { deliveredTo, newEndpoint } from './endpoint-calls.ts'

const tablesOf = (isIncluded: (placement: Placement) => boolean): string[] =>
  Object.keys(placements).filter(table => isIncluded(placements[table] as Placement))
const shardedBy = (table: string): string | undefined => {
  const placement = placements[table]
  return placement?.kind === 'sharded' ? placement.column : undefined
}

const byTenant = tablesOf(placement => placement.kind === 'sharded' && placement.column === 'tenant_id')
const sharded = tablesOf(placement => placement.kind === 'sharded')
const everywhere = tablesOf(({ kind }) => kind === 'reference')
const inOnePlace = tablesOf(({ kind }) => kind === 'local')
/** Tables that only the database's functions and triggers use. No statement of the service reads or writes them. */
const inFunctions = ['customer_erasures', 'payment_search']

type Exception = [table: string, statement: RegExp, why: string]
/** Statements that may read all shards, because they are never sent while a request is being served. */
const exceptions: Exception[] = [
  [
    'payments',
    /next_check_at\) <=/,
    'once a second a worker claims the payments whose status inquiry is due',
  ],
  ['refunds', /next_check_at <=/, 'once a second a worker claims the refunds whose status inquiry is due'],
  [
    'book_accounts',
    /a\.balance <> 0/,
    'every ten minutes a worker finds the tenants whose ledger contains a share of the fees for their Partner',
  ],
  ...['webhook_queue', 'additional_deliveries'].map(
    (table): Exception => [table, /with recursive/, 'every five seconds a worker finds overdue deliveries'],
  ),
  [
    'provider_callbacks',
    /received_at </,
    'every five seconds a worker looks for callbacks that were not applied',
  ],
  [
    'balances',
    /insert into ledger_seals/,
    'every ten seconds a worker finds the balances that have new entries',
  ],
  [
    'balances',
    /cross join lateral[\s\S]*ledger_seals/,
    'every ten minutes a worker reads the last seals of all balances',
  ],
  ...['balances', 'ledger_entries', 'ledger_seals'].map(
    (table): Exception => [
      table,
      /select chain\."tenantId"/,
      'once a day a worker verifies the whole ledger',
    ],
  ),
  ['ledger_entries', /as "hasMoney"/, 'once a day a worker verifies the cause of each ledger entry'],
  [
    'book_transfers',
    /t\.from_account as "fromAccount"/,
    'once a day a worker verifies each transfer between the other accounts of a book',
  ],
  ...['book_accounts', 'balances'].map(
    (table): Exception => [
      table,
      /from book_accounts a\s+where not exists/,
      'once a day a worker looks for accounts of books that do not exist',
    ],
  ),
  ...['ledger_entries', 'book_transfers'].map(
    (table): Exception => [
      table,
      /reference_id collate "C" as reference/,
      "once a day a worker verifies each batch of Partners' margins",
    ],
  ),
  ['payments', /is_one as "isOneCredit"/, 'once a day a worker verifies each payment'],
  ...['payments', 'refunds'].map(
    (table): Exception => [
      table,
      /'outcome_unknown', ''/,
      'once a minute a worker counts the unknown outcomes that wait for the Owner',
    ],
  ),
  ['refunds', /r\.expected, ledger\.found/, 'once a day a worker verifies each refund'],
  ['payments', /stored\.fee as expected/, 'once a day a worker verifies the fee of each payment'],
  ['fee_charges', /f\.net \+ f\.tax as amount/, 'once a day a worker verifies the payment of each fee'],
  [
    'payments',
    /fingerprint_version else -1[\s\S]*order by tenant_id, id/,
    'once a day a worker compares each payment with the fingerprint of its order',
  ],
]

/**
 * Returns whether the statement belongs to the daily comparison of payments with settlements. Settlements are
 * not sharded but stored on one node.
 */
const isOfReconciliation = (text: string) => /\bsettlement_lines\b/.test(text)

/**
 * Returns whether the service sends this statement in only some runs of the test. There are two such
 * statements: one counts an account's waiting callbacks, and the other reads payments' callbacks for the
 * daily verification.
 */
const isOccasional = (text: string) =>
  /count\(\*\)::integer as waiting|c\.payment_id = any\(\$1::uuid\[\]\) and c\.status = 'applied'/.test(text)

const { app, demo, databaseUrl } = await testApp({ worker: false })
const sent: string[] = []

const namedTables = () => sharded.filter(table => !inFunctions.includes(table))
/** Returns the sharded tables that appear in the statements recorded so far. */
const usedTables = () => {
  const texts = [...new Set(sent)].filter(isPlanned).join('\n')
  return new Set(namedTables().filter(table => new RegExp(`\\b${table}\\b`).test(texts)))
}

beforeAll(async () => {
  const query = pg.Client.prototype.query
  // Wraps the query function of pg to record all SQL statements. Knex and the job queue also send their
  // statements through this function.
  const listening = vi.spyOn(pg.Client.prototype, 'query').mockImplementation(function (
    this: pg.Client,
    ...args: unknown[]
  ) {
    const asked = args[0] as string | { text?: string }
    const text = typeof asked === 'string' ? asked : asked.text
    if (text !== undefined) sent.push(text)
    return Reflect.apply(query, this, args)
  } as typeof query)

  // The worker starts after recording has begun, so that its first statements are also recorded.
  const worker = await startWorker(app, databaseUrl, { alone: true })
  atEnd(() => worker.stop())
  const shop = merchantOf(demo)
  const hook = await receiver(demo)
  const user = callsAs(demo, await logIn(demo, demo.client))
  const endpoint = await newEndpoint(user)
  const free = { methodType: null, channel: null, percentBps: 0, min: null, max: null, taxBps: 0 }
  const rules = [{ ...free, fixed: 100n }]
  const schedule = { effectiveFrom: new Date(), refundsFees: false, rules }
  await changeFeeSchedule(app, null, demo.client.tenant_id, schedule)
  const { data: paid } = await shop.create({}, 'once')
  await shop.create({}, 'once')
  await shop.get(paid.id)
  await simulate(demo, paid, 'paid')
  await until('the webhook arrives', () => hook.of(paid).length > 0)
  await deliveredTo(user, endpoint)
  await shop.ledger(paid.id)
  await shop.balance()
  const { data: cancelled } = await shop.create()
  await shop.cancel(cancelled.id)
  const toCome = () => [
    ...exceptions
      .filter(([table, statement]) =>
        sent.every(text => !text.includes(table) || !statement.test(text) || !isPlanned(text)),
      )
      .map(([table, , why]) => `${table}: ${why}`),
    // Waits for tables, such as the attempt log, that the service writes after the merchant has received a
    // response.
    ...namedTables().filter(table => !usedTables().has(table)),
  ]
  await until('every listed statement was sent', () => toCome().length === 0).catch(error => {
    throw new Error(`${error.message}; outstanding: ${toCome().join(', ')}`)
  })
  listening.mockRestore()
  hook.close()
})

/** A node of a query plan in the format of EXPLAIN (VERBOSE, FORMAT JSON). */
type Plan = {
  'Node Type': string
  'Relation Name'?: string
  Alias?: string
  'Join Type'?: string
  Plans?: Plan[]
} & Record<string, unknown>

type Meeting = { table: string; isLookedUpBy: (column: string) => boolean }

/**
 * Returns the tables that a statement reads. `isLookedUpBy` returns whether the statement selects a table's rows by the
 * given column. ModifyTable nodes in the query plan are skipped, because the scan nodes below them find the rows to
 * write.
 */
async function meetingsOf(text: string): Promise<Meeting[]> {
  const { rows } = await app.db.raw(`explain (generic_plan, verbose, format json) ${text}`)
  return below(rows[0]['QUERY PLAN'][0].Plan, [])

  function below(plan: Plan, conditionsAbove: string[]): Meeting[] {
    const conditions = [...conditionsAbove, ...conditionsOf(plan)]
    const { 'Relation Name': relation, Alias: alias } = plan
    const own = relation !== undefined && plan['Node Type'] !== 'ModifyTable'
    return [
      ...(own
        ? [
            {
              table: parents.get(relation) ?? relation,
              // For a partition such as payments_2, the plan's conditions can contain the name without the number.
              isLookedUpBy: (column: string) =>
                [alias, alias?.replace(/_\d+$/, '')].some(name => {
                  const equality = new RegExp(`\\(${name}\\.${column} = | = ${name}\\.${column}\\)`)
                  return conditions.some(condition => equality.test(condition))
                }),
            },
          ]
        : []),
      ...(plan.Plans ?? []).flatMap(each => below(each, conditions)),
    ]
  }
}

/**
 * Returns the conditions in a query plan that all returned rows meet. Alternatives in an OR and conditions in an outer
 * join are left out, because some rows may not meet them.
 */
const conditionsOf = (plan: Plan): string[] =>
  Object.keys(plan)
    .filter(key =>
      /Inner|Semi/.test(plan['Join Type'] ?? 'Inner') ? /Cond$|Filter$/.test(key) : key === 'Filter',
    )
    .map(key => String(plan[key]))
    .filter(condition => !/ OR |\bNOT \(/.test(condition))

const parents = new Map<string, string>()
beforeAll(async () => {
  const { rows } = await app.db.raw(
    'select inhrelid::regclass::text as part, inhparent::regclass::text as whole from pg_inherits',
  )
  for (const { part, whole } of rows) parents.set(part, whole)
})

/**
 * Matches SQL statements for which PostgreSQL makes a query plan. These are all statements of the service
 * except those that control transactions, lock tables, or use LISTEN.
 */
const isPlanned = (text: string) => /^\s*(select|with|insert|update|delete)\b(?!\s*$)/i.test(text)

test.each([
  ['p where tenant_id = $1', true],
  ['p where tenant_id = any($1)', true],
  ['p join balances b on b.tenant_id = p.tenant_id', true],
  ['p full join balances b on b.tenant_id = p.tenant_id', false],
  ['p where tenant_id > $1', false],
  ['p where tenant_id <> $1', false],
  ["p where tenant_id = $1 or status = 'pending'", false],
])(
  'from the query plan, the test detects whether a statement reads only rows of one tenant: select from payments %s',
  async (rest, isSo) => {
    const meetings = await meetingsOf(`select from payments ${rest}`)
    const payments = meetings.find(({ table }) => table === 'payments')
    expect(payments?.isLookedUpBy('tenant_id')).toBe(isSo)
  },
)

describe('SQL statements on the payment path can run on a sharded database', () => {
  test('each SQL statement on the payment path finds its rows by tenant, reference or callback ID, except in periodic jobs', async () => {
    const found = new Set<string>()
    const excepted = new Set<string>()
    for (const text of new Set(sent.filter(isPlanned))) {
      for (const { table, isLookedUpBy } of await meetingsOf(text)) {
        const column = shardedBy(table)
        if (column === undefined || isLookedUpBy(column) || isOccasional(text)) continue
        const exception = exceptions.find(([whose, statement]) => whose === table && statement.test(text))
        if (exception) excepted.add(exception[2])
        else found.add(`${table}: ${text}`)
      }
    }
    expect([...found]).toEqual([])
    expect(excepted).toEqual(new Set(exceptions.map(([, , why]) => why)))
  })

  test('except for reconciliation, no SQL statement reads tables sharded by tenant together with tables that only one node stores', async () => {
    const found = new Set<string>()
    for (const text of new Set(sent.filter(isPlanned))) {
      const tables = (await meetingsOf(text)).map(({ table }) => table)
      const isMixed =
        tables.some(table => byTenant.includes(table)) && tables.some(table => inOnePlace.includes(table))
      if (isMixed && !isOfReconciliation(text)) found.add(text)
    }
    expect([...found]).toEqual([])
  })

  test('the SQL statements on the payment path use every sharded table, except for tables that only database functions use', async () => {
    expect([...usedTables()].sort()).toEqual(namedTables().sort())
  })
})

describe('the tables and unique indexes of the database are suitable for sharding by tenant', () => {
  test('db/placement.ts declares for every table whether and how its rows are split across nodes', async () => {
    const { rows } = await app.db.raw(
      `select relname as table from pg_class
       where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition and relname !~ '^pg_'`,
    )
    expect(rows.map(({ table }: { table: string }) => table).sort()).toEqual(Object.keys(placements).sort())
  })

  test('every unique index on a sharded table includes the sharding column', async () => {
    const { rows } = await app.db.raw(
      `select c.relname as table, x.relname as index, array(
         select a.attname::text from unnest(i.indkey) with ordinality as k (attnum, place)
         join pg_attribute a on a.attrelid = c.oid and a.attnum = k.attnum order by k.place) as columns
       from pg_index i join pg_class c on c.oid = i.indrelid join pg_class x on x.oid = i.indexrelid
       where i.indisunique and c.relname = any(?) and c.relnamespace = 'public'::regnamespace`,
      [sharded],
    )
    const uniques: { table: string; index: string; columns: string[] }[] = rows
    expect(new Set(uniques.map(({ table }) => table)).size).toBe(sharded.length)
    expect(uniques.filter(({ table, columns }) => !columns.includes(shardedBy(table) as string))).toEqual([])
    // The tenant must be the first column of each unique index, because statements select rows by tenant.
    expect(
      uniques.filter(({ table, columns }) => byTenant.includes(table) && columns[0] !== 'tenant_id'),
    ).toEqual([])
  })

  test('no row-level security policy contains a subquery, which Citus does not support on a distributed table', async () => {
    const { rows } = await app.db.raw(
      `select polname as policy, polrelid::regclass::text as table from pg_policy
       where polqual::text like '%SUBLINK%' or polwithcheck::text like '%SUBLINK%'`,
    )
    expect(rows).toEqual([])
  })

  test('no foreign key connects a sharded and an unsharded table', async () => {
    const { rows } = await app.db.raw(
      `select conname as name, f.relname as from, t.relname as to, array(
         select a.attname::text from pg_attribute a where a.attrelid = f.oid and a.attnum = any(k.conkey)) as columns
       from pg_constraint k join pg_class f on f.oid = k.conrelid join pg_class t on t.oid = k.confrelid
       where k.contype = 'f' and k.connamespace = 'public'::regnamespace`,
    )
    const keys: { name: string; from: string; to: string; columns: string[] }[] = rows
    expect(keys.length).toBeGreaterThan(0)
    const breaking = keys.filter(({ from, to, columns }) => {
      if (!shardedBy(from)) return shardedBy(to) !== undefined
      if (everywhere.includes(to)) return false
      return !(byTenant.includes(from) && byTenant.includes(to) && columns.includes('tenant_id'))
    })
    expect(breaking).toEqual([])
  })
})
