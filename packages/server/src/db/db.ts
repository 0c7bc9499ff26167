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

// The server-side timeout of a statement: longer than any query of the service takes, and shorter than clients wait for
// a response. It also releases the locks of a process that hangs.
const statementTimeoutMs = 30_000
const idleInTransactionTimeoutMs = 30_000
// The time limit of waiting for a lock. Rows are normally locked only for the few statements before a commit. If a
// frozen process holds a lock, other statements give up instead of queueing.
const lockTimeoutMs = 3_000
// The client-side timeout of a query, for a server that does not respond at all.
const queryTimeoutMs = 35_000
// The time limits of getting a connection. They end while the client is still waiting, so that the client gets an error
// response.
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
    // Knex discards a client after an error, so a dropped connection fails only its current query. The minimum of 0
    // lets idle connections close.
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
    // Knex's own log is disabled: a lost connection is already reported as the error of its query.
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
 * Returns the parser of a column type. Amounts stay bigint: a JavaScript number would round them, and `+` would
 * concatenate the strings that pg returns. A date stays text such as `2026-01-31`, because a `Date` would shift with
 * the process's time zone. Other users of pg in this process are not affected.
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
