import { setTimeout as pause } from 'node:timers/promises'
import type Router from '@koa/router'
import type { Db } from '../db/db.ts'
import { hasStorage } from '../db/shortage.ts'
import { countOpenDifferences } from '../ledger/difference.sql.ts'
import { readStanding, type Standing } from '../reconciliation/standing.sql.ts'

/** Whether the parts of this process besides the database do their work. */
export type Readiness = () => { worker: boolean; stopping: boolean }

const CHECK_TIMEOUT_MS = 2_000

/** /healthz: the process lives. /readyz: it can do its work; a balancer sends it requests only then. */
export function mountHealth(router: Router, db: Db, readiness: Readiness): void {
  // It is reachable, and with the tables of this version: start-up migrated it or failed.
  const look = shared(async () => {
    const [differences, reconciliation] = await Promise.all([
      countOpenDifferences(db, CHECK_TIMEOUT_MS),
      readStanding(db, CHECK_TIMEOUT_MS),
    ])
    return { differences, reconciliation }
  })
  const hasRoom = shared(() => hasStorage(db))
  router.get('/healthz', ctx => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', async ctx => {
    const { worker, stopping } = readiness()
    const [found, storage = false] = await Promise.all([look(), hasRoom()])
    const checks = { database: found !== undefined, storage, worker, accepting: !stopping }
    const ready = Object.values(checks).every(Boolean)
    ctx.status = ready ? 200 : 503
    if (!ready) ctx.set('Retry-After', '1')
    ctx.body = { status: ready ? 'ready' : 'not ready', checks, ...warningsOf(found) }
  })
}

type Found = { differences: number; reconciliation: Standing }

/** Payments of a day are compared within hours of its end, and once more while a provider is away. */
const RECONCILED_WITHIN_SECONDS = 36 * 3_600

/** What somebody has to look at, although requests are served as ever. */
function warningsOf(found: Found | undefined): { warnings?: string[] } {
  if (!found) return {}
  const { differences, reconciliation } = found
  const warnings = [
    differences > 0 &&
      `the ledger contradicts itself, differences: ${differences}; see the Inbox, and run gapura-server verify-ledger`,
    reconciliation.open > 0 &&
      `the daily reconciliation found differences that are still open: ${reconciliation.open}; see the Inbox`,
    (reconciliation.ageSeconds ?? 0) > RECONCILED_WITHIN_SECONDS &&
      `no day of live payments was completely reconciled for ${Math.floor((reconciliation.ageSeconds ?? 0) / 3_600)} hours; see gapura reconciliation runs`,
  ].filter(warning => warning !== false)
  return warnings.length > 0 ? { warnings } : {}
}

/**
 * What the database says, or undefined where it cannot. Anybody may ask, and as often as he likes: those who ask at the same
 * time share the question. One that hangs is not waited for.
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
