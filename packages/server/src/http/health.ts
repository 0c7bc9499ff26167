import { setTimeout as pause } from 'node:timers/promises'
import type Router from '@koa/router'
import type { Db } from '../db/db.ts'
import { hasStorage } from '../db/shortage.ts'
import { countOpenDifferences } from '../ledger/difference.sql.ts'

/** Whether the parts of this process besides the database do their work. */
export type Readiness = () => { worker: boolean; stopping: boolean }

const CHECK_TIMEOUT_MS = 2_000

/** /healthz: the process lives. /readyz: it can do its work; a balancer sends it requests only then. */
export function mountHealth(router: Router, db: Db, readiness: Readiness): void {
  // It is reachable, and with the tables of this version: start-up migrated it or failed.
  const look = shared(async () => ({ differences: await countOpenDifferences(db, CHECK_TIMEOUT_MS) }))
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
