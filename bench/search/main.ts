// pnpm bench:search: measures searches over millions of payments, and how much the search adds to the cost of creating
// a payment. This command is not part of `pnpm bench`, because it restarts PostgreSQL and needs different data: two
// fifths of the payments belong to one tenant.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { createDb, type Db } from '../../packages/server/src/db/db.ts'
import { findPaymentByCode } from '../../packages/server/src/payments/read/payment-list.sql.ts'
import type { SearchTerms } from '../../packages/server/src/payments/read/search-query.ts'
import type { Database } from '../host/database.ts'
import { openDatabase } from '../host/kept.ts'
import { type Postgres, startPostgres } from '../host/postgres.ts'
import { startSandbox } from '../host/sandbox.ts'
import { costsOfCreate } from './create-cost.ts'
import { type Kind, kindsOf } from './kinds.ts'
import { restartCold } from './postgres-restart.ts'
import { costTable, type Figures, searchTables } from './report.ts'
import { count, readBy, search, timed } from './searches.ts'

const usage = `bench:search [option…]

  --payments <n>     payments in the database (5000000)
  --runs <n>         searches of each kind with warm caches (100)
  --rounds <n>       rounds of 10,000 creates with and without the search; 0 skips them (5)
  --cold             also measure the first search after a restart with cold caches
  --data-dir <path>  keep the database in this directory for later runs
  --json <file>      write all figures as JSON
`

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '5000000' },
    runs: { type: 'string', default: '100' },
    rounds: { type: 'string', default: '5' },
    cold: { type: 'boolean', default: false },
    'data-dir': { type: 'string' },
    json: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
})
if (values.help) {
  process.stdout.write(usage)
  process.exit()
}

/** The share of all payments that belongs to the first tenant. This tenant is the largest. */
const LARGEST = 0.4

const say = (line: string) => void process.stderr.write(`${line}\n`)
const loads = (): string =>
  loadavg()
    .map(load => load.toFixed(1))
    .join(' ')

type Run = (db: Db, terms: Partial<SearchTerms>) => Promise<number>
type Subject = { tenant: string; kinds: Kind[]; search: Run; count?: Run }

async function subjectsOf({ url, tenants }: Database): Promise<Subject[]> {
  const [large, small] = [tenants[0], tenants.at(-1)]
  if (!large || !small) throw new Error('the database has no tenants')
  const subject = async (tenant: string, id: string): Promise<Subject> => ({
    tenant,
    kinds: await kindsOf(url, id),
    search: (db, terms) => search(db, id, terms),
    count: (db, terms) => count(db, id, terms),
  })
  const ofLarge = await subject('large tenant', large.id)
  return [
    ofLarge,
    await subject('small tenant', small.id),
    {
      tenant: 'all tenants, searched by the Owner',
      kinds: ofLarge.kinds.filter(({ name }) => name === 'payment code'),
      search: async (db, { text = '' }) => ((await findPaymentByCode(db, text)) ? 1 : 0),
    },
  ]
}

const textAt = ({ terms }: Kind, run: number): Partial<SearchTerms> => terms[run % terms.length] ?? {}

/**
 * One of every `RUNS_OF_COUNT` runs of a search also counts all matches. Counting in every run would take too
 * long.
 */
const RUNS_OF_COUNT = 10

/** Measures each kind of search in turn, so that a short load spike on the machine affects all kinds equally. */
async function warmFigures(url: string, admin: pg.Client, subjects: Subject[]): Promise<Figures[]> {
  const db = createDb(url, { max: 1 })
  const measured = subjects.flatMap(({ tenant, kinds, search, count }) =>
    kinds.map(kind => ({ tenant, kind, search, count })),
  )
  try {
    const figures: Figures[] = []
    for (const { tenant, kind, search } of measured) {
      const run = () => search(db, textAt(kind, 1))
      const found = await run()
      figures.push({ tenant, kind: kind.name, found, read: await readBy(admin, run), warm: [], count: [] })
    }
    // Each search text is searched once before the measurement, so that the matching rows are cached.
    for (const { kind, search } of measured) for (const terms of kind.terms) await search(db, terms)
    for (let run = 0; run < Number(values.runs); run += 1)
      for (const [n, { kind, search, count }] of measured.entries()) {
        const figure = figures[n] as Figures
        figure.warm.push(await timed(db, () => search(db, textAt(kind, run))))
        if (count && run % RUNS_OF_COUNT === 0)
          figure.count.push(await timed(db, () => count(db, textAt(kind, run))))
      }
    return figures
  } finally {
    await db.destroy()
  }
}

/**
 * Measures the first search of each kind with cold caches. Restarts the server before each search, and
 * returns the server that was started last.
 */
async function measureCold(server: Postgres, subjects: Subject[], figures: Figures[]): Promise<Postgres> {
  let running = server
  for (const { tenant, kinds, search } of subjects)
    for (const kind of kinds) {
      running = await restartCold(running, dataDir)
      const db = createDb(running.urlOf(name), { max: 1 })
      const { ms } = await timed(db, () => search(db, textAt(kind, 0)))
      await db.destroy()
      say(`${tenant}, search for ${kind.name}: ${ms.toFixed(0)} ms with cold caches`)
      const figure = figures.find(each => each.tenant === tenant && each.kind === kind.name)
      if (figure) figure.coldMs = ms
    }
  return running
}

const dataDir = values['data-dir'] ?? (await mkdtemp(join(tmpdir(), 'gapura-bench-search-')))
const name = `search_${values.payments}`
const begunAt = loads()
let postgres = await startPostgres(dataDir)
const sandbox = await startSandbox()
try {
  const database = await openDatabase(postgres, sandbox, {
    name,
    dataDir,
    payments: Number(values.payments),
    largest: LARGEST,
    onlyPayments: true,
  })
  const { url } = database
  const admin = new pg.Client({ connectionString: url.replace('gapura@', 'postgres@') })
  await admin.connect()
  const subjects = await subjectsOf(database)
  const figures = await warmFigures(url, admin, subjects)
  const rounds = Number(values.rounds)
  const costs = await costsOfCreate(postgres, url, rounds)
  if (rounds > 0) await admin.query('vacuum payments, payment_search')
  await admin.end()
  if (values.cold) postgres = await measureCold(postgres, subjects, figures)
  const load = `load average over 1, 5 and 15 minutes: ${begunAt} at the start, ${loads()} at the end`
  process.stdout.write(`\n${searchTables(figures)}${rounds > 0 ? `\n${costTable(costs)}` : ''}\n${load}\n`)
  if (values.json) await writeFile(values.json, `${JSON.stringify({ load, figures, costs }, null, 2)}\n`)
} finally {
  await sandbox.stop()
  await postgres.stop()
  if (!values['data-dir']) await rm(dataDir, { recursive: true, force: true })
}
