// Prepared statements for the payment flow. PostgreSQL parses and plans each statement only once per connection. The
// statements use Knex's connection pool and transactions. They do not use Knex's query builder, because building a
// query can take longer than running it.

import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Db, Tx } from './db.ts'
import { queryInScope, scopeOfNextStatement } from './scoped-query.ts'

/**
 * The types of parameter values that pg accepts. Pass jsonb as text, because pg converts a JavaScript array to a
 * PostgreSQL array.
 */
export type SqlValue = string | number | bigint | boolean | Date | Buffer | null
export type SqlValues = Record<string, SqlValue | readonly SqlValue[]>

/**
 * Defines a prepared statement with parameters such as `:name`, each of which may occur several times. Do not
 * use it for a statement with optional filters, because PostgreSQL uses the same plan for all parameter
 * values.
 */
export function preparedStatement<Row = unknown>(
  sql: string,
): (db: Db | Tx, values: SqlValues) => Promise<Row[]> {
  const { text, names } = numberParameters(sql)
  // A prepared statement's name is a hash of its text, so that different texts have different names. PostgreSQL rejects
  // two statements with the same name and different texts.
  const name = createHash('sha256').update(text).digest('base64url')
  // The service's role and the tenant role have separate prepared statements, so that PostgreSQL does not plan a
  // statement again each time the role of the connection changes.
  const nameInScope = `${name} scoped`
  return async (db, values) => {
    if ('isCompleted' in db && db.isCompleted()) throw new Error('the transaction has ended')
    const connection: pg.Client = await db.client.acquireConnection()
    try {
      const { rows } = await queryInScope(connection, {
        name: scopeOfNextStatement(connection) ? nameInScope : name,
        text,
        values: names.map(each => values[each]),
      })
      return rows as Row[]
    } finally {
      // Within a transaction, `connection` is the transaction's connection. It then stays with the transaction, because
      // releaseConnection does not return it to the pool.
      await db.client.releaseConnection(connection)
    }
  }
}

/**
 * Replaces each `:name` with `$1` and so on, but leaves a cast such as `::type` unchanged. Also moves the array
 * parameter of `unnest` into a subselect, which hides the array's length from the planner. PostgreSQL would otherwise
 * plan the statement again for each one-element array. Planning costs more than running the statement.
 */
function numberParameters(sql: string): { text: string; names: string[] } {
  const names: string[] = []
  const hidden = sql.replace(/\bunnest\(\s*(:\w+::\w+\[\])/gi, 'unnest((select $1)')
  const text = hidden.replace(/(?<!:):([a-z]\w*)/gi, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text, names }
}
