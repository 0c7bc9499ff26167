// Declares Knex's PostgreSQL client, which Knex's own types omit.

declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex'
  import type pg from 'pg'

  export type SentQuery = { sql: string; bindings: unknown[]; options?: object; response?: pg.QueryResult }

  export default class PostgresClient extends Knex.Client {
    /** Returns the classes of the package `pg` with which Knex connects to PostgreSQL. */
    _driver(): { Client: new (config: pg.ClientConfig) => pg.Client }
    _query(connection: pg.Client, sent: SentQuery): Promise<SentQuery>
  }
}
