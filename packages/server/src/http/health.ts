import { setTimeout as pause } from 'node:timers/promises'
import type Router from '@koa/router'
import {
  type ReconciliationStatus,
  readReconciliationStatus,
} from '../daily-reconciliation/reconciliation-status.sql.ts'
import type { Db } from '../db/db.ts'
import { canStoreData } from '../db/disk-full.ts'
import { countOpenDifferences } from '../ledger/ledger-difference.sql.ts'

/**
 * The state of this process. `worker` is false only if this process is meant to run background jobs but cannot run
 * them. `stopping` is true while the process shuts down.
 */
export type Readiness = () => { worker: boolean; stopping: boolean }

const CHECK_TIMEOUT_MS = 2_000

/**
 * Serves /healthz, which shows whether the process is alive, and /readyz, which shows whether the process can serve
 * requests.
 */
export function mountHealth(router: Router, db: Db, readiness: Readiness): void {
  // The health check does not verify the database's schema version. The process migrates the database at startup, and
  // if this fails, it does not start.
  const readWarnings = shared(async () => {
    const [differences, reconciliation] = await Promise.all([
      countOpenDifferences(db, CHECK_TIMEOUT_MS),
      readReconciliationStatus(db, CHECK_TIMEOUT_MS),
    ])
    return { differences, reconciliation }
  })
  const hasRoom = shared(() => canStoreData(db))
  router.get('/healthz', ctx => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', async ctx => {
    const { worker, stopping } = readiness()
    const [found, storage = false] = await Promise.all([readWarnings(), hasRoom()])
    const checks = { database: found !== undefined, storage, worker, accepting: !stopping }
    const ready = Object.values(checks).every(Boolean)
    ctx.status = ready ? 200 : 503
    if (!ready) ctx.set('Retry-After', '1')
    ctx.body = { status: ready ? 'ready' : 'not ready', checks, ...warningsOf(found) }
  })
}

type WarningData = { differences: number; reconciliation: ReconciliationStatus }

/**
 * The maximum age of the last complete reconciliation with the providers' records. If it is older, the
 * operator is warned. Reconciliation runs daily, and a day is normally reconciled within hours of its end.
 */
const RECONCILED_WITHIN_SECONDS = 36 * 3_600

/**
 * Returns warnings about problems that the operator should investigate, such as differences in the ledger. Despite
 * these problems, the service still accepts requests.
 */
function warningsOf(found: WarningData | undefined): { warnings?: string[] } {
  if (!found) return {}
  const { differences, reconciliation } = found
  const warnings = [
    differences > 0 &&
      `the verification of the ledger found differences that are still open: ${differences}; see the Inbox, and run gapura-server verify-ledger`,
    reconciliation.open > 0 &&
      `the daily reconciliation found differences that are still open: ${reconciliation.open}; see the Inbox`,
    (reconciliation.ageSeconds ?? 0) > RECONCILED_WITHIN_SECONDS &&
      `no day of live payments has been completely reconciled for ${Math.floor((reconciliation.ageSeconds ?? 0) / 3_600)} hours; run gapura reconciliation runs`,
  ].filter(warning => warning !== false)
  return warnings.length > 0 ? { warnings } : {}
}

/**
 * Returns a function that runs the query `ask`, and returns undefined if the query fails or takes too long. Concurrent
 * calls share one query, because /readyz is public and has no rate limit.
 */
function shared<Found>(ask: () => Promise<Found>): () => Promise<Found | undefined> {
  let asking: Promise<Found | undefined> | undefined
  return () => {
    asking ??= ask()
      .catch(() => undefined)
      .finally(() => {
        asking = undefined
      })
    return Promise.race([asking, pause(CHECK_TIMEOUT_MS, undefined, { ref: false })])
  }
}
