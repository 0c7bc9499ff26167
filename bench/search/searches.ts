// Runs the service's own search and measures it. As in a request, the search runs restricted to the tenant, so it
// sees only the tenant's rows.

import { readFile } from 'node:fs/promises'
import type pg from 'pg'
import type { Db } from '../../packages/server/src/db/db.ts'
import { firstPage } from '../../packages/server/src/db/list-order.ts'
import { inScope, scopeOfTenant } from '../../packages/server/src/db/tenant-scope.ts'
import { countPayments } from '../../packages/server/src/payments/read/count-payments.sql.ts'
import type { PaymentFilter } from '../../packages/server/src/payments/read/payment-filter.sql.ts'
import { readPaymentPage } from '../../packages/server/src/payments/read/read-payment-page.ts'
import type { SearchTerms } from '../../packages/server/src/payments/read/search-query.ts'
import { allPaymentsOf } from '../../packages/server/test/support/payment-filter.ts'

/** The default number of payments per page of search results. */
const PAGE = 20

const filterOf = (tenantId: string, terms: Partial<SearchTerms>): PaymentFilter => {
  const all = allPaymentsOf(tenantId)
  return { ...all, search: { ...all.search, ...terms } }
}

/** Searches a tenant's payments and reads the first page of results. Returns the number of payments on this page. */
export const search = (db: Db, tenantId: string, terms: Partial<SearchTerms>): Promise<number> =>
  inScope(scopeOfTenant(tenantId), async () => {
    const { rows } = await readPaymentPage(db, filterOf(tenantId, terms), firstPage(), PAGE)
    return rows.length
  })

/** Counts all matches of a search, as for a list requested with `count=true`. */
export const count = (db: Db, tenantId: string, terms: Partial<SearchTerms>): Promise<number> =>
  inScope(scopeOfTenant(tenantId), async () => {
    const { count } = await countPayments(db, filterOf(tenantId, terms))
    return count
  })

/** A search's elapsed time, and the CPU time of the PostgreSQL process that serves the connection, in milliseconds. */
export type Timed = { ms: number; postgresCpuMs: number }

/**
 * Measures the elapsed time and the CPU time of one search. The pool of `db` must have only one connection.
 */
export async function timed(db: Db, run: () => Promise<number>): Promise<Timed> {
  const pid = await backendOf(db)
  const before = await cpuMsOf(pid)
  const startedAt = performance.now()
  await run()
  const ms = performance.now() - startedAt
  return { ms, postgresCpuMs: (await cpuMsOf(pid)) - before }
}

export async function backendOf(db: Db): Promise<number> {
  const { rows } = await db.raw<{ rows: { pid: number }[] }>('select pg_backend_pid() as pid')
  return rows[0]?.pid ?? Number.NaN
}

/**
 * Returns a process's CPU time in milliseconds. It does not use /proc/<pid>/stat, which counts only hundredths of a
 * second.
 */
export async function cpuMsOf(pid: number): Promise<number> {
  const [nanoseconds] = (await readFile(`/proc/${pid}/schedstat`, 'utf8')).split(' ')
  return Number(nanoseconds) / 1e6
}

/**
 * The number of SQL statements in a search, and the number of database pages they read from disk or from
 * PostgreSQL's cache.
 */
export type Read = { statements: number; pages: number }

/**
 * Counts the SQL statements and database pages of one search. Unlike its duration, these do not depend on
 * other programs.
 */
export async function readBy(admin: pg.Client, run: () => Promise<number>): Promise<Read> {
  await admin.query('select pg_stat_statements_reset()')
  await run()
  const { rows } = await admin.query<Read>(
    `select coalesce(sum(calls), 0)::integer as statements,
            coalesce(sum(shared_blks_hit + shared_blks_read), 0)::integer as pages
     from pg_stat_statements where dbid = (select oid from pg_database where datname = current_database())
       and query like '%payment%'`,
  )
  return rows[0] as Read
}
