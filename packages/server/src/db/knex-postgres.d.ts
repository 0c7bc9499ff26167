// Knex's PostgreSQL client, which Knex's types omit.

declare module 'knex/lib/dialects/postgres/index.js' {
  import type { Knex } from 'knex'
  import type pg from 'pg'

  export type SentQuery = { sql: string; bindings: unknown[]; options?: object; response?: pg.QueryResult }

  export default class PostgresClient extends Knex.Client {
    _query(connection: pg.Client, sent: SentQuery): Promise<SentQuery>
  }
}
