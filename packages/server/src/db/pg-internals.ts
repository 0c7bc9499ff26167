// This file relies on undocumented parts of the package pg, read from pg 8.23.1 (lib/client.js, lib/query.js and
// lib/connection.js). Before upgrading pg, read these files again and change the version in this comment.

import pg from 'pg'

export type PreparedQuery = { name: string; text: string; values: string[] }

type Connection = {
  parsedStatements: Record<string, string>
  stream: { cork(): void; uncork(): void; destroy(): void }
  bind(what: { portal: string; statement: string; values: string[] }): void
  execute(what: { portal: string }): void
}

const connectionOf = (client: pg.Client): Connection =>
  (client as unknown as { connection: Connection }).connection

/**
 * Returns whether the server has responded to all statements sent on the connection. After a client-side timeout it is
 * unknown whether the server will respond to the statement. The next statement on the connection would wait behind it,
 * and the connection may be dead without TCP having noticed. pg's `readyForQuery` is unsuitable: after an ordinary
 * error it is also false for a moment.
 */
export const hasNoPendingQuery = (client: object): boolean =>
  !(client as { _activeQuery?: object | null })._activeQuery

/**
 * Closes the connection's socket without sending a Terminate message, because the server may no longer be reachable.
 */
export const closeSocket = (client: pg.Client): void => connectionOf(client).stream.destroy()

/** Returns whether the connection has a prepared statement of this name. */
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
 * Sends a prepared statement and then a query, both in one message, so they run in one transaction. Only the result of
 * the query is returned.
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

  // The first rows and the first completion message belong to the prepared statement and are discarded.
  override handleDataRow(message: unknown): void {
    if (this.#isFirstComplete) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Connection): void {
    if (this.#isFirstComplete) super.handleCommandComplete(message, connection)
    else this.#isFirstComplete = true
  }
}

/** Runs a query as an ordinary `client.query` would, on a client whose `query` may be replaced. */
export const runQuery = (client: pg.Client, query: QueryAfterPrepared): Promise<pg.QueryResult> =>
  new Promise((resolve, reject) => {
    const answered = (error: Error | undefined, result: pg.QueryResult) =>
      error ? reject(error) : resolve(result)
    ;(client.query as (query: QueryAfterPrepared, callback: typeof answered) => void)(query, answered)
  })
