// Makes these declarations visible to packages that import only this file.
/// <reference path="./knex-postgres.d.ts" />

import knex, { type Knex } from 'knex'
import PostgresClient, { type SentQuery } from 'knex/lib/dialects/postgres/index.js'
import pg from 'pg'
import { hasNoPendingQuery } from './pg-internals.ts'
import { beginInScope, queryInScope, savepointInScope, scopeOfNextStatement } from './scoped-query.ts'
import { measureStatements } from './time-statements.ts'

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
export const connectionTimeouts = {
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
    ...connectionTimeouts,
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
      validate: hasNoPendingQuery,
      afterCreate(client: pg.Client, done: (error: undefined, client: pg.Client) => void) {
        measureStatements(client)
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
  override async _query(connection: pg.Client, sent: SentQuery): Promise<SentQuery> {
    if (/^begin\b/i.test(sent.sql)) sent.response = await beginInScope(connection, sent.sql)
    else if (/^savepoint\b/i.test(sent.sql)) sent.response = await savepointInScope(connection, sent.sql)
    else if (!scopeOfNextStatement(connection)) return super._query(connection, sent)
    else
      sent.response = await queryInScope(connection, {
        text: sent.sql,
        values: sent.bindings,
        ...sent.options,
      })
    return sent
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
