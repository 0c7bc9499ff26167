// Fills a migrated database with millions of payments from the past 90 days, and with their timelines, ledger entries,
// callbacks and webhooks. This code is only for measurements: never use it while a service uses the database.

import pg from 'pg'
import { putAway } from './bulk.ts'
import * as plan from './plan.sql.ts'
import * as rows from './rows.sql.ts'

const STRETCH = 250_000
/** The average number of payments per payer. */
const PAYMENTS_OF_PAYER = 5

const paymentTables = ['payments', 'payment_search', 'payment_references'] as const
const filledTables = [
  ...paymentTables,
  'payment_transitions',
  'ledger_entries',
  'balances',
  'book_accounts',
  'provider_callbacks',
  'webhook_events',
  'webhook_queue',
  'webhook_attempts',
] as const

export type SeedOptions = {
  payments: number
  tenants?: number
  /** The share of the payments that belong to the first tenant. */
  largest?: number
  /**
   * If true, fills only the tables that are needed for payment lists and payment searches. By default, also
   * fills other tables, such as those for the ledger and for webhooks.
   */
  onlyPayments?: boolean
  /** The number of database connections used to load the data. Each connection uses up to one core. */
  connections?: number
}

export async function seed(
  databaseUrl: string,
  { payments, tenants = 1_000, largest = 0.2, onlyPayments = false, connections = 2 }: SeedOptions,
): Promise<void> {
  const tables = onlyPayments ? paymentTables : filledTables
  const clients = await Promise.all(Array.from({ length: connections }, () => connect(databaseUrl)))
  const [first] = clients as [pg.Client, ...pg.Client[]]
  const say = progress()
  try {
    say(`seeding ${payments} payments for ${tenants} tenants`)
    await first.query(plan.addTenants, [tenants])
    await first.query(plan.addAccounts)
    await first.query('select setseed(0.6)')
    await first.query(withNumbers(plan.addPayers, [Math.ceil(payments / PAYMENTS_OF_PAYER)]))
    await first.query(withNumbers(plan.makePlan, [payments, tenants, largest]))
    await first.query('create index on seed_plan (n); analyze seed_plan, seed_payers')
    if (!onlyPayments)
      await first.query(`${rows.eventPlan}; create index on seed_events (n); analyze seed_events`)
    say('planned')

    const { bringBack } = await putAway(first, tables)
    await inTurn(
      clients,
      [...(onlyPayments ? [] : [ledger]), ...stretches(payments, tables)].map(
        task => (client: pg.Client) => task(client, say),
      ),
    )
    await inTurn(
      clients,
      bringBack.map(make => async client => {
        await client.query(make)
        say(make.slice(0, 70))
      }),
    )
    await first.query('drop table if exists seed_events; drop table seed_plan, seed_payers')
    await inTurn(
      clients,
      tables.map(table => client => client.query(`vacuum (analyze) ${table}`)),
    )
    say('done')
  } finally {
    await Promise.all(clients.map(client => client.end()))
  }
}

type Say = (line: string) => void

async function ledger(client: pg.Client, say: Say): Promise<void> {
  await client.query(rows.ledger)
  await client.query(rows.balances)
  await client.query(rows.accounts)
  say('ledger_entries, balances, book_accounts')
}

function stretches(
  payments: number,
  tables: readonly string[],
): ((client: pg.Client, say: Say) => Promise<void>)[] {
  const loads = {
    payments: rows.payments,
    payment_references: rows.references,
    payment_transitions: rows.transitions,
    provider_callbacks: rows.callbacks,
    webhook_events: rows.events,
    webhook_queue: rows.undelivered,
    webhook_attempts: rows.attempts,
  }
  const chosen = Object.entries(loads).filter(([table]) => tables.includes(table))
  return chosen.flatMap(([table, load]) =>
    Array.from(
      { length: Math.ceil(payments / STRETCH) },
      (_, stretch) => async (client: pg.Client, say: Say) => {
        const until = Math.min((stretch + 1) * STRETCH, payments)
        await client.query(load, [stretch * STRETCH, until])
        say(`${table} ${until}`)
      },
    ),
  )
}

/** Runs the tasks on several connections. When a connection finishes a task, it starts the next one. */
async function inTurn(
  clients: pg.Client[],
  tasks: ((client: pg.Client) => Promise<unknown>)[],
): Promise<void> {
  const waiting = tasks.values()
  await Promise.all(
    clients.map(async client => {
      for (const task of waiting) await task(client)
    }),
  )
}

async function connect(databaseUrl: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: databaseUrl, application_name: 'bench-seed' })
  await client.connect()
  await client.query(`set work_mem = '256MB'; set maintenance_work_mem = '512MB'`)
  return client
}

/** Inserts the numbers into the SQL text, because `create table as` accepts no parameters. */
const withNumbers = (sql: string, numbers: number[]): string =>
  sql.replace(/\$(\d)/g, (_, place: string) => String(numbers[Number(place) - 1]))

function progress(): Say {
  const begun = performance.now()
  return line =>
    process.stderr.write(`seed ${((performance.now() - begun) / 1_000).toFixed(1).padStart(6)} s  ${line}\n`)
}

if (import.meta.main) {
  const [databaseUrl = '', payments = '50000', tenants = '1000'] = process.argv.slice(2)
  await seed(databaseUrl, { payments: Number(payments), tenants: Number(tenants) })
}
