import type { Knex } from 'knex'
import { Gauge, Histogram, type Registry } from 'prom-client'

export const databaseMetrics = {
  seconds: new Histogram({
    name: 'gapura_database_statement_duration_seconds',
    help: 'Duration of SQL statements, including commits. outcome: ok, error',
    labelNames: ['outcome'] as const,
    buckets: [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 30],
    registers: [],
  }),
}

type Pool = { max: number; numUsed(): number; numFree(): number; numPendingAcquires(): number }

/** Registers gauges for the connection pool. Their values are read whenever metrics are collected. */
export function registerPoolMetrics(db: Knex, registry: Registry): void {
  const pool: Pool = db.client.pool
  new Gauge({
    name: 'gapura_database_connections',
    help: 'Connections in the pool. state: used, free',
    labelNames: ['state'] as const,
    registers: [registry],
    collect() {
      this.set({ state: 'used' }, pool.numUsed())
      this.set({ state: 'free' }, pool.numFree())
    },
  })
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read())
      },
    })
  gauge('gapura_database_connections_max', 'Maximum number of connections in the pool', () => pool.max)
  gauge('gapura_database_connections_waiting', 'Calls waiting for a database connection from the pool', () =>
    pool.numPendingAcquires(),
  )
}
