// Statements of the payment flow: PostgreSQL parses and plans each once for a connection, and Knex's builder, which
// costs more than many of them take, is not asked. They share its pool and its transactions.

import { createHash } from 'node:crypto'
import type pg from 'pg'
import type { Db, Tx } from './db.ts'
import { query, scopeOn } from './scoped-query.ts'

/** What pg takes as a parameter; jsonb as text, since an array of pg's is an array of PostgreSQL's. */
export type Value = string | number | bigint | boolean | Date | Buffer | null
export type Values = Record<string, Value | readonly Value[]>

/**
 * sql names its parameters `:likeThis`, each as often as it likes. Not for a filter that may be absent: one plan
 * serves all values.
 */
export function statement<Row = unknown>(sql: string): (db: Db | Tx, values: Values) => Promise<Row[]> {
  const { text, names } = withNumbers(sql)
  // Two texts under one name would be refused, so the name follows from the text.
  const name = createHash('sha256').update(text).digest('base64url')
  // What PostgreSQL planned for one role it plans anew for another.
  const nameInScope = `${name} scoped`
  return async (db, values) => {
    if ('isCompleted' in db && db.isCompleted()) throw new Error('the transaction is over')
    const connection: pg.Client = await db.client.acquireConnection()
    try {
      const { rows } = await query(connection, {
        name: scopeOn(connection) ? nameInScope : name,
        text,
        values: names.map(each => values[each]),
      })
      return rows as Row[]
    } finally {
      // Within a transaction this leaves the connection to it.
      await db.client.releaseConnection(connection)
    }
  }
}

/**
 * `:name` becomes `$1`; `::type` stays a cast. How long an array is stays hidden behind a `select`: for one of a single
 * element PostgreSQL would expect less work than its plan for all values takes, and plan anew at each execution, which
 * costs more than such a statement does.
 */
function withNumbers(sql: string): { text: string; names: string[] } {
  const names: string[] = []
  const hidden = sql.replace(/\bunnest\(\s*(:\w+::\w+\[\])/gi, 'unnest((select $1)')
  const text = hidden.replace(/(?<!:):([a-z]\w*)/gi, (_, name: string) => {
    if (!names.includes(name)) names.push(name)
    return `$${names.indexOf(name) + 1}`
  })
  return { text, names }
}
