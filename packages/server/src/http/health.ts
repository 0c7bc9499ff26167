import { setTimeout as pause } from 'node:timers/promises'
import type Router from '@koa/router'
import type { Db } from '../db/db.ts'
import { countOpenDifferences } from '../ledger/difference.sql.ts'

/** Whether the parts of this process besides the database do their work. */
export type Readiness = () => { worker: boolean; stopping: boolean }

const CHECK_TIMEOUT_MS = 2_000

/** /healthz: the process lives. /readyz: it can do its work; a balancer sends it requests only then. */
export function mountHealth(router: Router, db: Db, readiness: Readiness): void {
  const look = databaseCheck(db)
  router.get('/healthz', ctx => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', async ctx => {
    const { worker, stopping } = readiness()
    const found = await look()
    const checks = { database: found !== undefined, worker, accepting: !stopping }
    const ready = Object.values(checks).every(Boolean)
    ctx.status = ready ? 200 : 503
    if (!ready) ctx.set('Retry-After', '1')
    ctx.body = { status: ready ? 'ready' : 'not ready', checks, ...warningsOf(found) }
  })
}

type Found = { differences: number }

/** What somebody has to look at, although requests are served as ever. */
function warningsOf(found: Found | undefined): { warnings?: string[] } {
  if (!found || found.differences === 0) return {}
  return {
    warnings: [
      `the ledger contradicts itself, differences: ${found.differences}; see the Inbox, and run gapura-server verify-ledger`,
    ],
  }
}

/**
 * Reachable, and with the tables of this version (start-up migrated it or failed); otherwise undefined. Anybody may ask,
 * and as often as he likes: those who ask at the same time share the question. One that hangs is not waited for, in the
 * pool neither.
 */
function databaseCheck(db: Db): () => Promise<Found | undefined> {
  let asking: Promise<Found | undefined> | undefined
  const ask = async () => {
    try {
      return { differences: await countOpenDifferences(db, CHECK_TIMEOUT_MS) }
    } catch {
      return undefined
    }
  }
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return Promise.race([asking, pause(CHECK_TIMEOUT_MS, undefined, { ref: false })])
  }
}
