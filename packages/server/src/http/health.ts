import { setTimeout as pause } from 'node:timers/promises'
import type Router from '@koa/router'
import type { Db } from '../db/db.ts'

/** Whether the parts of this process besides the database do their work. */
export type Readiness = () => { worker: boolean; stopping: boolean }

const CHECK_TIMEOUT_MS = 2_000

/** /healthz: the process lives. /readyz: it can do its work; a balancer sends it requests only then. */
export function mountHealth(router: Router, db: Db, readiness: Readiness): void {
  const isMigrated = migratedCheck(db)
  router.get('/healthz', ctx => {
    ctx.body = { status: 'ok' }
  })
  router.get('/readyz', async ctx => {
    const { worker, stopping } = readiness()
    const checks = { database: await isMigrated(), worker, accepting: !stopping }
    const ready = Object.values(checks).every(Boolean)
    ctx.status = ready ? 200 : 503
    if (!ready) ctx.set('Retry-After', '1')
    ctx.body = { status: ready ? 'ready' : 'not ready', checks }
  })
}

/**
 * Reachable, and with the tables of this version (start-up migrated it or failed). Anybody may ask, and as often as he
 * likes: those who ask at the same time share the question. One that hangs is not waited for, in the pool neither.
 */
function migratedCheck(db: Db): () => Promise<boolean> {
  let asking: Promise<boolean> | undefined
  const ask = () =>
    db
      .raw('select from schema_migrations limit 1')
      .timeout(CHECK_TIMEOUT_MS)
      .then(
        () => true,
        () => false,
      )
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return Promise.race([asking, pause(CHECK_TIMEOUT_MS, false, { ref: false })])
  }
}
