// This file relies on undocumented parts of the package pg. It was written for pg 8.23.1, based on lib/client.js,
// lib/query.js and lib/connection.js. Before upgrading pg, read these files again and change the version in this
// comment.

import type { EventEmitter } from 'node:events'
import pg from 'pg'
import type { DatabaseServer } from '../values/connection-url.ts'

export type PreparedQuery = { name: string; text: string; values: string[] }

type Connection = EventEmitter & {
  parsedStatements: Record<string, string>
  stream: { destroyed: boolean; cork(): void; uncork(): void; destroy(): void }
  bind(what: { portal: string; statement: string; values: string[] }): void
  execute(what: { portal: string }): void
}

const connectionOf = (client: pg.Client): Connection =>
  (client as unknown as { connection: Connection }).connection

/** Returns whether a transaction is open on the connection, even one that failed and was not rolled back. */
export const isInTransaction = (client: pg.Client): boolean => (client.getTransactionStatus() ?? 'I') !== 'I'

/**
 * Returns whether the connection is open and has neither an unanswered statement nor an open transaction. After a
 * client-side timeout, the next statement on a dead connection would wait forever. In a transaction that never ends,
 * later statements would fail or be lost. pg's own flag `readyForQuery` is unsuitable, because it is briefly false
 * after an ordinary error.
 */
export const isReusable = (client: object): boolean =>
  !(client as { _activeQuery?: object | null })._activeQuery &&
  !connectionOf(client as pg.Client).stream.destroyed &&
  !isInTransaction(client as pg.Client)

/**
 * Closes the connection's socket without sending a Terminate message, because the server may no longer be reachable.
 */
export const closeSocket = (client: pg.Client): void => connectionOf(client).stream.destroy()

/** Sets the server to which a client will connect. Call this before the client connects. */
export function setServer(client: pg.Client, server: DatabaseServer): void {
  const { connectionParameters } = client as unknown as { connectionParameters: DatabaseServer }
  Object.assign(client, server)
  Object.assign(connectionParameters, server)
}

type SessionObserver = {
  /** Called for each setting that the database server reports: when the session starts, and when a setting changes. */
  onSetting(name: string, value: string): void
  onError(error: { code?: string; message?: string; constraint?: string | undefined }): void
  /** This function is called when the database server has finished a statement and no transaction is open. */
  onIdle(): void
  /**
   * Called if an operator has canceled a commit's wait for the synchronous standby. The transaction is then already
   * committed on the primary, and PostgreSQL sends a warning. The warning is recognized by the name of the C function
   * that reports it, because its text may be translated.
   */
  onUnreplicatedCommit(): void
}

/**
 * Calls the methods of `observer` for messages that the server sends on this connection, before pg processes
 * each message.
 */
export function observeSession(client: pg.Client, observer: SessionObserver): void {
  const connection = connectionOf(client)
  connection.on('parameterStatus', ({ parameterName, parameterValue }) =>
    observer.onSetting(parameterName, parameterValue),
  )
  connection.on('errorMessage', observer.onError)
  connection.on('readyForQuery', ({ status }) => status === 'I' && observer.onIdle())
  connection.on('notice', ({ routine }) => routine === 'SyncRepWaitForLSN' && observer.onUnreplicatedCommit())
}

/** Makes the current query fail with `error`, as if the server had reported the error. */
export const failActiveQuery = (client: pg.Client, error: Error): void =>
  void connectionOf(client).emit('errorMessage', error)

/** Returns whether a statement with this name is prepared on the connection. */
export const isPrepared = (client: pg.Client, name: string): boolean =>
  connectionOf(client).parsedStatements[name] !== undefined

const Query = pg.Query as unknown as new (
  config: object,
) => {
  submit(connection: Connection): Error | null
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
}

/**
 * A query that is sent together with a prepared statement and runs after it, in the same transaction. Only the query's
 * result is returned.
 */
export class QueryAfterPrepared extends Query {
  readonly #first: PreparedQuery
  #isFirstComplete = false

  constructor(config: pg.QueryConfig, first: PreparedQuery) {
    super({ ...config, queryMode: 'extended' })
    this.#first = first
  }

  override submit(connection: Connection): Error | null {
    connection.stream.cork()
    try {
      connection.bind({ portal: '', statement: this.#first.name, values: this.#first.values })
      connection.execute({ portal: '' })
      return super.submit(connection)
    } finally {
      connection.stream.uncork()
    }
  }

  // The prepared statement runs before the query. Its rows and its completion message arrive first and are
  // discarded.
  override handleDataRow(message: unknown): void {
    if (this.#isFirstComplete) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#isFirstComplete) super.handleCommandComplete(message, connection)
    else this.#isFirstComplete = true
  }
}

/** Runs a query like pg's own `client.query`, even if this client's `query` has been replaced. */
export const runQuery = (client: pg.Client, query: QueryAfterPrepared): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const answered = (error: Error | undefined, result: pg.QueryResult) =>
      error ? reject(error) : resolve(result)
    ;(client.query as (query: QueryAfterPrepared, callback: typeof answered) => void)(query, answered)
  })
