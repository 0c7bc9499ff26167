// Measures how much the search adds to the cost of creating a payment. Inserts payments without the search, with
// the search words only, and with the words and their index. Rolls back each transaction.

import pg from 'pg'
import type { Postgres } from '../host/postgres.ts'
import { median } from '../measure.ts'
import { cpuMsOf } from './searches.ts'

/**
 * The variants of the payment search to compare, each with the SQL that removes a part of it: the whole search, only
 * the index on the search words, or nothing.
 */
const variants = {
  'without the search': 'alter table payments disable trigger payments_are_searched_when_shown',
  'with the search words, without their index': 'drop index payment_search_by_period',
  'with the search words and their index': '',
} as const
export type Variant = keyof typeof variants
/**
 * The cost of creating one payment. `walBytesWithPages` includes the whole pages that PostgreSQL writes to the
 * write-ahead log (WAL) when it first changes a page after a checkpoint. This value is measured over the first 10,000
 * payments after a checkpoint. `walBytes` excludes these pages.
 */
export type Cost = { cpuUs: number; walBytes: number; walBytesWithPages: number }

/**
 * The number of batches in a run. It is large enough for PostgreSQL to empty the search index's pending list
 * several times. Emptying this list is the most expensive part of the inserts.
 */
const BATCHES = 100
const PAYMENTS_OF_BATCH = 100

type Server = Pick<Postgres, 'walBytes' | 'admin'>

/**
 * Measures the cost of creating one payment with and without the payment search. Returns the cost for each
 * variant and round. The variants are measured alternately.
 */
export async function costsOfCreate(
  server: Server,
  url: string,
  rounds: number,
): Promise<Record<Variant, Cost[]>> {
  const costs = Object.fromEntries(Object.keys(variants).map(variant => [variant, [] as Cost[]]))
  const setPageWrites = async (value: 'on' | 'off') => {
    await server.admin(`alter system set full_page_writes = ${value}`)
    await server.admin('select pg_reload_conf()')
    await server.admin('checkpoint')
  }
  for (let round = 0; round < rounds; round += 1)
    for (const [variant, change] of Object.entries(variants)) {
      await setPageWrites('on')
      const { cpuUs, walBytes: walBytesWithPages } = await costOf(server, url, change)
      await setPageWrites('off')
      const { walBytes } = await costOf(server, url, change)
      costs[variant]?.push({ cpuUs, walBytes, walBytesWithPages })
    }
  await setPageWrites('on')
  return costs as Record<Variant, Cost[]>
}

export const medianCost = (costs: Cost[]): Cost => {
  const middle = (figure: keyof Cost) => median(costs.map(cost => cost[figure]))
  return {
    cpuUs: middle('cpuUs'),
    walBytes: middle('walBytes'),
    walBytesWithPages: middle('walBytesWithPages'),
  }
}

async function costOf(
  { walBytes }: Server,
  url: string,
  change: string,
): Promise<Omit<Cost, 'walBytesWithPages'>> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
    const pid = rows[0]?.pid ?? Number.NaN
    await client.query(`begin; ${change}; create temp table created (like payments) on commit drop`)
    let [payments, cpuMs, wal] = [0, 0, 0]
    for (let batch = 0; batch < BATCHES; batch += 1) {
      await client.query(newBatch)
      const before = { cpuMs: await cpuMsOf(pid), wal: await walBytes() }
      const { rowCount } = await client.query('insert into payments select * from created')
      payments += rowCount ?? 0
      cpuMs += (await cpuMsOf(pid)) - before.cpuMs
      wal += (await walBytes()) - before.wal
    }
    await client.query('rollback')
    return { cpuUs: (cpuMs * 1_000) / payments, walBytes: wal / payments }
  } finally {
    await client.end()
  }
}

/**
 * Prepares the payments to insert: copies existing payments of many tenants, and makes the copies new and pending. The
 * measured insert then does not have to compute any values.
 */
const newBatch = `
  truncate created;
  insert into created
  select (jsonb_populate_record(p, jsonb_build_object(
    'id', uuidv7(), 'status', 'pending', 'paid_at', null, 'amount_paid', null, 'paid_reference', null, 'receipt', null,
    'payment_code', overlay(p.payment_code placing upper(translate(right(gen_random_uuid()::text, 10), 'ilou', 'abcd'))
      from 10), 'idempotency_key', 'created-' || gen_random_uuid(), 'provider_payment_id', gen_random_uuid(),
    'next_check_at', now() + interval '1 day', 'expires_at', now() + interval '1 day', 'created_at', now(),
    'updated_at', now()))).*
  from payments p tablesample system (0.05) where p.status <> 'pending' limit ${PAYMENTS_OF_BATCH}`
