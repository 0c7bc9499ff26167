// Exports the size and age of each backlog in the database, such as unprocessed callbacks. If the database does not
// respond within two seconds, GET /metrics omits the backlogs.

import { setTimeout as pause } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { Db } from '../db/db.ts'
import type { Logger } from '../logging/log.ts'
import { type Backlog, readBacklog } from './backlog.sql.ts'

const CACHED_MS = 5_000
const TIMEOUT_MS = 2_000

const gauges: Record<keyof Backlog, { name: string; help: string }> = {
  callbacks: { name: 'gapura_callbacks_unapplied', help: 'Stored callbacks that are not processed yet' },
  callbacksAge: {
    name: 'gapura_callbacks_unapplied_age_seconds',
    help: 'Age of the oldest unprocessed callback',
  },
  unknown: {
    name: 'gapura_payments_unknown',
    help: 'Payments with an unknown charge outcome',
  },
  unknownAge: {
    name: 'gapura_payments_unknown_age_seconds',
    help: 'Age of the oldest payment with an unknown charge outcome',
  },
  checks: { name: 'gapura_payment_checks_due', help: 'Payments that are due for a status inquiry' },
  checksOverdue: {
    name: 'gapura_payment_checks_overdue_seconds',
    help: 'How long the oldest due status inquiry has been overdue',
  },
  webhooks: {
    name: 'gapura_webhooks_pending',
    help: 'Undelivered webhooks that still have delivery attempts left',
  },
  webhooksOverdue: {
    name: 'gapura_webhooks_overdue_seconds',
    help: 'How long the oldest due webhook delivery has been overdue',
  },
  jobs: { name: 'gapura_jobs_ready', help: 'Jobs that are ready to run and have not started' },
  jobsOverdue: {
    name: 'gapura_jobs_overdue_seconds',
    help: 'How long the oldest waiting job has been ready to run',
  },
  unexpectedMoney: {
    name: 'gapura_unexpected_money_open',
    help: "Unexpected payments and reversals waiting for the Owner's decision",
  },
  unreadable: {
    name: 'gapura_callbacks_unreadable',
    help: 'Verified callbacks that could not be parsed and must be reprocessed',
  },
  ledgerDifferences: {
    name: 'gapura_ledger_differences',
    help: 'Open differences found by ledger verification',
  },
  ledgerVerifiedAge: {
    name: 'gapura_ledger_verified_age_seconds',
    help: 'Time since the last verification of the whole ledger. If none has finished yet: time since the first one began; 0 if none has begun',
  },
  reconciliationDifferences: {
    name: 'gapura_reconciliation_differences',
    help: 'Open differences found by the daily reconciliation',
  },
  reconciliationUnchecked: {
    name: 'gapura_reconciliation_unchecked',
    help: 'Recent payments that could not be reconciled because their provider did not respond',
  },
  reconciledAge: {
    name: 'gapura_reconciliation_age_seconds',
    help: "Time since a day's live payments were last reconciled completely; 0 before the first run",
  },
  workers: { name: 'gapura_workers_beating', help: 'Worker processes with a heartbeat in the last 15 s' },
}

export function observeBacklog({ db, log }: { db: Db; log: Logger }, registry: Registry): void {
  let latest: { backlog: Backlog | undefined; atMs: number } | undefined
  /**
   * The backlog query in flight, if any. Only one runs at a time, because otherwise metrics requests would use up
   * the connection pool while the database hangs.
   */
  let inFlight: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const backlog = await readBacklog(db).catch(error => {
      log.warn({ err: error }, 'backlog metrics could not be read from the database')
      return undefined
    })
    latest = { backlog, atMs: performance.now() }
    inFlight = undefined
  }

  async function read(): Promise<Backlog | undefined> {
    if (latest && performance.now() - latest.atMs < CACHED_MS) return latest.backlog
    inFlight ??= refresh()
    const inTime = inFlight.then(() => true)
    return (await Promise.race([inTime, pause(TIMEOUT_MS, false, { ref: false })]))
      ? latest?.backlog
      : undefined
  }

  for (const [key, gauge] of Object.entries(gauges))
    new Gauge({
      ...gauge,
      registers: [registry],
      async collect() {
        const backlog = await read()
        if (backlog) this.set(backlog[key as keyof Backlog])
        else this.remove()
      },
    })
  new Gauge({
    name: 'gapura_database_up',
    help: '1 if the database returned the backlog metrics, otherwise 0',
    registers: [registry],
    async collect() {
      this.set((await read()) ? 1 : 0)
    },
  })
}
