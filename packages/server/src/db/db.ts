// Also for packages that take this file in and look at no other of ours.
/// <reference path="./knex-postgres.d.ts" />

import knex, { type Knex } from 'knex'
import PostgresClient, { type SentQuery } from 'knex/lib/dialects/postgres/index.js'
import pg from 'pg'
import { beginInScope, query, scopeOn } from './scoped-query.ts'
import { timeStatements } from './time-statements.ts'

/** A pool, or a transaction on one: for what is right either way. */
export type Db = Knex
/** An open transaction: for what must happen together with its caller's other writes, or not at all. */
export type Tx = Knex.Transaction

// Longer than any query here takes; shorter than anyone waits for an answer. They free the locks of a
// process that hangs.
const statementTimeoutMs = 30_000
const idleInTransactionTimeoutMs = 30_000
// Rows are held for the few statements of a commit. Whoever meets one that is held by a process that froze
// gives up, so that nobody waits behind him in turn.
const lockTimeoutMs = 3_000
// A server that does not even say that a statement timed out.
const queryTimeoutMs = 35_000
// The pool is exhausted or the database away: say so while the caller still listens.
const connectTimeoutMs = 5_000
const acquireTimeoutMs = 5_000

/** For every connection, whatever its pool. */
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
    // Knex hands it to pg as it is; its own type is behind pg's.
    connection: connection as Knex.PgConnectionConfig,
    // Knex listens for the errors of each client it opens and discards the client, so a dropped connection
    // fails the query under way and nothing else. With no minimum, nothing is kept open for its own sake.
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
    // What it would print of a lost connection, the failed query tells its caller.
    log: { warn() {}, error() {}, debug() {}, deprecate() {} },
  })
}

/** Knex sends everything by `_query`; in a transaction, by a copy of this that has the same prototype. */
class ScopedClient extends PostgresClient {
  override async _query(connection: pg.Client, asked: SentQuery): Promise<SentQuery> {
    if (/^begin\b/i.test(asked.sql)) asked.response = await beginInScope(connection, asked.sql)
    else if (!scopeOn(connection)) return super._query(connection, asked)
    else
      asked.response = await query(connection, { text: asked.sql, values: asked.bindings, ...asked.options })
    return asked
  }
}

/**
 * Whether the server answered all that was asked on it. Of a statement that timed out here nobody knows: the next one
 * would wait behind it, on a connection that may be dead for as long as TCP believes in it. pg's `readyForQuery` says
 * more, for a moment after an ordinary error, too.
 */
export const isAnswered = (client: object): boolean =>
  !(client as { _activeQuery?: object | null })._activeQuery

const { INT8, DATE } = pg.types.builtins
const int8Array = 1016 as Parameters<typeof pg.types.getTypeParser>[0]

/**
 * Amounts are bigint from the column to the response: a JavaScript number would round, pg's own strings would
 * concatenate. A date is a day of the calendar and stays `2026-01-31`; as a `Date` it would shift with the
 * zone of the process. Only this pool reads them so; pg's global parsers belong to whoever else uses pg.
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

/** SQLSTATE classes of a database that is away, starting, stopping or full: the same call may pass later. */
const awayClasses = new Set(['08', '53', '57'])
const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EPIPE'])

/** SQLSTATEs of a statement that waited too long, for a lock or altogether. */
const busyCodes = new Set(['55P03', '57014'])

/** Whether an error of a query means that the database could not be had, not that the query was wrong. */
export function isDatabaseAway(error: unknown): boolean {
  if (!(error instanceof Error) || isDatabaseBusy(error)) return false
  const code = (error as { code?: unknown }).code
  if (typeof code === 'string')
    return awayCodes.has(code) || (/^[0-9A-Z]{5}$/.test(code) && awayClasses.has(code.slice(0, 2)))
  return (
    error.name === 'KnexTimeoutError' ||
    // Knex puts the statement before what pg says.
    /(^| - )(Connection terminated|timeout expired|Query read timeout|Client has encountered a connection error)/.test(
      error.message,
    )
  )
}

/** Whether it means that this one statement waited too long; others need not. */
export const isDatabaseBusy = (error: unknown): boolean =>
  busyCodes.has((error as { code?: string })?.code ?? '')
