// This reference makes the type declarations of the Knex client visible to packages that import only this
// file.
/// <reference path="./knex-postgres.d.ts" />

import knex, { type Knex } from 'knex'
import PostgresClient, { type SentQuery } from 'knex/lib/dialects/postgres/index.js'
import pg from 'pg'
import { isReusable } from './pg-internals.ts'
import { DatabaseClient } from './primary/database-client.ts'
import { beginInScope, queryInScope, savepointInScope, scopeOfNextStatement } from './scoped-query.ts'
import { measureStatements } from './time-statements.ts'

/** A connection pool or a transaction, for code that works with either. */
export type Db = Knex
/**
 * An open transaction. A function has a parameter of this type if its writes must commit together with the
 * caller's.
 */
export type Tx = Knex.Transaction

// The server-side timeout for a statement. Every query of the service needs less time, and API clients wait
// longer for a response. The timeout also limits how long a hanging process can hold locks.
const statementTimeoutMs = 30_000
const idleInTransactionTimeoutMs = 30_000
// The longest time that a statement waits for a lock. Transactions hold locks only for a few statements, so after a
// longer wait, the process that holds the lock has probably stopped responding.
const lockTimeoutMs = 3_000
// The client-side timeout for a query, in case the server does not respond at all.
const queryTimeoutMs = 35_000
// The timeout for opening a connection or getting one from the pool. API clients wait longer than this, so they
// receive an error response instead of a timeout.
const connectionWaitMs = 5_000

/** The timeouts for each connection in every pool. */
export const connectionTimeouts = {
  statement_timeout: statementTimeoutMs,
  lock_timeout: lockTimeoutMs,
  query_timeout: queryTimeoutMs,
  idle_in_transaction_session_timeout: idleInTransactionTimeoutMs,
  connectionTimeoutMillis: connectionWaitMs,
  keepAlive: true,
} satisfies pg.ClientConfig

/**
 * `max` is the maximum size of a connection pool. `waitMs` overrides the timeout for opening a connection or getting a
 * connection from the pool.
 */
type PoolOptions = { max: number; name?: string; waitMs?: number | undefined }

export function createDb(url: string, { max, name = 'gapura', waitMs = connectionWaitMs }: PoolOptions): Db {
  const connection: pg.ClientConfig = {
    connectionString: url,
    application_name: name,
    ...connectionTimeouts,
    connectionTimeoutMillis: waitMs,
    types: { getTypeParser: getTypeParser as pg.CustomTypesConfig['getTypeParser'] },
  }
  return knex({
    client: ScopedClient,
    // Knex passes these settings to pg unchanged. The cast is needed because Knex's type lacks some of pg's settings.
    connection: connection as Knex.PgConnectionConfig,
    // A minimum of 0 lets the pool close every idle connection. Knex discards a connection after its first error, so
    // a broken connection makes only one query fail.
    pool: {
      min: 0,
      max,
      validate: isReusable,
      afterCreate(client: pg.Client, done: (error: undefined, client: pg.Client) => void) {
        measureStatements(client)
        done(undefined, client)
      },
    },
    acquireConnectionTimeout: waitMs,
    // Knex's log is disabled. If a connection is lost, the query that used it already fails with an error.
    log: { warn() {}, error() {}, debug() {}, deprecate() {} },
  })
}

/**
 * A Knex client that runs each statement in the current tenant scope (tenant-scope.ts). The client overrides the method
 * `_query`, because Knex sends every statement through `_query`. A transaction copies the client with its prototype, so
 * this method also applies in transactions.
 */
class ScopedClient extends PostgresClient {
  override _driver() {
    return { Client: DatabaseClient }
  }

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
 * Returns the parser for a column type. Amounts become bigint, because a JavaScript number would round them, and `+`
 * would concatenate pg's default strings. A date remains text such as `2026-01-31`, because a `Date` would shift with
 * the time zone.
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
