// Makes these declarations visible to packages that import only this file.
/// <reference path="./knex-postgres.d.ts" />

import knex, { type Knex } from 'knex'
import PostgresClient, { type SentQuery } from 'knex/lib/dialects/postgres/index.js'
import pg from 'pg'
import { isAnswered } from './pg-internals.ts'
import { beginInScope, query, scopeOn } from './scoped-query.ts'
import { timeStatements } from './time-statements.ts'

/** A connection pool or a transaction, for code that works with either. */
export type Db = Knex
/** An open transaction, for writes that must commit together with the caller's other writes. */
export type Tx = Knex.Transaction

// The server-side timeout of a statement. It is longer than any query of the service takes and shorter than clients
// wait for a response. It also releases the locks of a process that hangs.
const statementTimeoutMs = 30_000
const idleInTransactionTimeoutMs = 30_000
// The time limit for waiting for a lock. Normally a row is locked only during the few statements before a commit. If a
// frozen process has locked a row, other statements stop waiting for it, so that no queue builds up.
const lockTimeoutMs = 3_000
// The client-side timeout of a query, for a server that does not even report that the statement timed out.
const queryTimeoutMs = 35_000
// The time limits for getting a connection. If the pool is exhausted or the database unavailable, a request fails while
// its client is still waiting for the response.
const connectTimeoutMs = 5_000
const acquireTimeoutMs = 5_000

/** The timeouts of each connection of every pool. */
export const limits = {
  statement_timeout: statementTimeoutMs,
  lock_timeout: lockTimeoutMs,
  query_timeout: queryTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  connectionTimeoutMillis: connectTimeoutMs,
  keepAlive: true,
} satisfies pg.ClientConfig

export function createDb(url: string, { max, name = 'gapura' }: { max: number; name?: string }): Db {
  const connection: pg.ClientConfig = {
    connectionString: url,
    application_name: name,
    ...limits,
    types: { getTypeParser: getTypeParser as pg.CustomTypesConfig['getTypeParser'] },
  }
  return knex({
    client: ScopedClient,
    // Knex passes this to pg unchanged; Knex's own type lags behind pg's.
    connection: connection as Knex.PgConnectionConfig,
    // Knex listens for errors of each client it opens and discards the client, so a dropped connection fails only its
    // current query. With no minimum, idle connections are closed.
    pool: {
      min: 0,
      max,
      validate: isAnswered,
      afterCreate(client: pg.Client, done: (error: undefined, client: pg.Client) => void) {
        timeStatements(client)
        done(undefined, client)
      },
    },
    acquireConnectionTimeout: acquireTimeoutMs,
    // Knex logs nothing: a query that fails because the connection was lost already reports the error to its caller.
    log: { warn() {}, error() {}, debug() {}, deprecate() {} },
  })
}

/**
 * A Knex client that runs each statement in its scope. Knex sends every statement through `_query`; in a transaction it
 * uses a copy of the client with the same prototype.
 */
class ScopedClient extends PostgresClient {
  override async _query(connection: pg.Client, asked: SentQuery): Promise<SentQuery> {
    if (/^begin\b/i.test(asked.sql)) asked.response = await beginInScope(connection, asked.sql)
    else if (!scopeOn(connection)) return super._query(connection, asked)
    else
      asked.response = await query(connection, { text: asked.sql, values: asked.bindings, ...asked.options })
    return asked
  }
}

const { INT8, DATE } = pg.types.builtins
const int8Array = 1016 as Parameters<typeof pg.types.getTypeParser>[0]

/**
 * Returns the parser for a column type. Amounts are bigint from the column to the response: a JavaScript number would
 * round them, and `+` would concatenate the strings that pg returns. A date is a calendar day and stays `2026-01-31`;
 * as a `Date` it would shift with the time zone of the process. Only this pool uses these parsers, so other users of pg
 * in the process are not affected.
 */
function getTypeParser(oid: number, format: string) {
  if (oid === INT8) return BigInt
  if (oid === int8Array) return parseInt8Array
  if (oid === DATE) return String
  return pg.types.getTypeParser(oid, format as 'text')
}

function parseInt8Array(text: string): (bigint | null)[] {
  const strings: (string | null)[] = pg.types.getTypeParser(int8Array, 'text')(text)
  return strings.map(item => (item === null ? null : BigInt(item)))
}

/**
 * The SQLSTATE classes of a database that is unavailable, starting, stopping or full. A retry may succeed after these
 * errors.
 */
const awayClasses = new Set(['08', '53', '57'])
const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE'])

/** The SQLSTATEs of a lock timeout and of a canceled statement, for instance one that exceeded its timeout. */
const busyCodes = new Set(['55P03', '57014'])

/** Returns whether a query failed because the database is unavailable, and not because the query is wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error) || isDatabaseBusy(error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string')
    return awayCodes.has(code) || (/^[0-9A-Z]{5}$/.test(code) && awayClasses.has(code.slice(0, 2)))
  return (
    error.name === 'KnexTimeoutError' ||
    // Knex writes the statement in front of pg's error message.
    /(^| - )(Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error)/.test(
      error.message,
    )
  )
}

/** Returns whether the error is that a statement waited or ran too long. Other statements may succeed. */
export const isDatabaseBusy = (error: unknown): boolean =>
  busyCodes.has((error as { code?: string })?.code ?? '')
