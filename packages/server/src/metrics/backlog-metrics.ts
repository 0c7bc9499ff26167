// Exports the size and age of the backlogs in the database; every process reports the same values. If the database
// does not respond within two seconds, the scrape succeeds without these values.

import { setTimeout as pause } from 'node:timers/promises'
import { Gauge, type Registry } from 'prom-client'
import type { App } from '../app.ts'
import { type Backlog, readBacklog } from './backlog.sql.ts'

const KEPT_MS = 5_000
const PATIENCE_MS = 2_000

const gauges: Record<keyof Backlog, { name: string; help: string }> = {
  callbacks: { name: 'gapura_callbacks_unapplied', help: 'Kept callbacks that no worker settled yet' },
  callbacksAge: {
    name: 'gapura_callbacks_unapplied_age_seconds',
    help: 'Since the oldest of them was received',
  },
  unknown: {
    name: 'gapura_payments_unknown',
    help: 'Payments of which nobody knows whether they were charged',
  },
  unknownAge: { name: 'gapura_payments_unknown_age_seconds', help: 'Since the first of them became so' },
  checks: { name: 'gapura_payment_checks_due', help: 'Payments that are to be asked about by now' },
  checksOverdue: { name: 'gapura_payment_checks_overdue_seconds', help: 'Since the first of them was due' },
  webhooks: { name: 'gapura_webhooks_pending', help: 'Webhooks not delivered and not given up' },
  webhooksOverdue: {
    name: 'gapura_webhooks_overdue_seconds',
    help: 'Since the first attempt was due that nobody makes',
  },
  jobs: { name: 'gapura_jobs_ready', help: 'Jobs that may begin and have not' },
  jobsOverdue: { name: 'gapura_jobs_overdue_seconds', help: 'Since the first of them might have begun' },
  unexpectedMoney: {
    name: 'gapura_unexpected_money_open',
    help: 'Arrivals and reversals of money that the Owner has to decide on',
  },
  unreadable: {
    name: 'gapura_callbacks_unreadable',
    help: 'Verified callbacks that could not be understood and wait to be reprocessed',
  },
  ledgerDifferences: {
    name: 'gapura_ledger_differences',
    help: 'Contradictions in the ledger that the last verification found, or that were posted since',
  },
  ledgerVerifiedAge: {
    name: 'gapura_ledger_verified_age_seconds',
    help: 'Since the whole ledger was verified; 0 before the first time',
  },
  reconciliationDifferences: {
    name: 'gapura_reconciliation_differences',
    help: 'Differences that daily reconciliations found and that are still open',
  },
  reconciliationUnchecked: {
    name: 'gapura_reconciliation_unchecked',
    help: 'Payments of the last days that their provider has not answered about yet',
  },
  reconciledAge: {
    name: 'gapura_reconciliation_age_seconds',
    help: 'Since the live payments of a day were last reconciled completely; 0 before the first run',
  },
  workers: { name: 'gapura_workers_beating', help: 'Worker processes that were heard of in the last 15 s' },
}

export function observeBacklog({ db, log }: Pick<App, 'db' | 'log'>, registry: Registry): void {
  let latest: { backlog: Backlog | undefined; atMs: number } | undefined
  /** One query at a time, so that a database that hangs does not use up the connection pool. */
  let underWay: Promise<void> | undefined

  async function refresh(): Promise<void> {
    const backlog = await readBacklog(db).catch(error => {
      log.warn({ err: error }, 'what waits in the database could not be read')
      return undefined
    })
    latest = { backlog, atMs: performance.now() }
    underWay = undefined
  }

  async function read(): Promise<Backlog | undefined> {
    if (latest && performance.now() - latest.atMs < KEPT_MS) return latest.backlog
    underWay ??= refresh()
    const inTime = underWay.then(() => true)
    return (await Promise.race([inTime, pause(PATIENCE_MS, false, { ref: false })]))
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
    help: 'Whether the database told what waits: 1 or 0',
    registers: [registry],
    async collect() {
      this.set((await read()) ? 1 : 0)
    },
  })
}
