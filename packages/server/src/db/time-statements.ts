// Measures the duration of each SQL statement for the metrics and the traces. To do this, replaces the `query` method
// of a connection, through which both Knex's statements and prepared statements are sent.

import type pg from 'pg'
import { failSpan, isTracing, startPart } from '../tracing/span.ts'
import { databaseMetrics } from './database-metrics.ts'
import { noteIfDiskFull } from './disk-full.ts'

type Query = (...args: unknown[]) => unknown

/** Measures the duration of a connection's statements. Call this once for each new connection in a pool. */
export function measureStatements(client: pg.Client): void {
  const query: Query = (...args) => Object.getPrototypeOf(client).query.apply(client, args)
  const timed: Query = (...args) => {
    const ended = timer(args[0])
    const callback = args.at(-1)
    if (typeof callback === 'function') {
      args[args.length - 1] = (error: unknown, result: unknown) => {
        ended(error)
        callback(error, result)
      }
      return query(...args)
    }
    const result = query(...args)
    if (result instanceof Promise) result.then(() => ended(undefined), ended)
    return result
  }
  client.query = timed as typeof client.query
}

/** Starts measuring a statement. Call the returned function when the statement ends. */
function timer(query: unknown): (error: unknown) => void {
  const started = performance.now()
  const span = isTracing() ? startPart(summaryOf(query), { kind: 'client', attributes }) : undefined
  return error => {
    databaseMetrics.seconds.observe(
      { outcome: error ? 'error' : 'ok' },
      (performance.now() - started) / 1_000,
    )
    if (error) noteIfDiskFull(error)
    if (error && span) failSpan(span, error)
    span?.end()
  }
}

const attributes = { 'db.system.name': 'postgresql' }

/**
 * Returns the operation and the table of a statement, which are used as the name of its tracing span. The full text of
 * the statement would be too long.
 */
function summaryOf(query: unknown): string {
  const text = typeof query === 'string' ? query : String((query as { text?: unknown }).text)
  const [, verb, table] =
    /\b(insert into|(?<!for )update|delete from)\s+(\w+)/i.exec(text) ??
    /\b(select)\b[\s\S]*?\bfrom\s+(\w+)/i.exec(text) ??
    []
  return verb && table
    ? `${verb.toLowerCase()} ${table}`
    : text.trim().slice(0, 16).split(/\W/)[0] || 'statement'
}
