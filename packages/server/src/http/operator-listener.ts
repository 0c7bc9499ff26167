// A separate listener for operators, which serves the health checks and metrics of the process. It also runs in
// processes that run only background jobs. It requires no token, so access to its port must be restricted.

import Router from '@koa/router'
import Koa from 'koa'
import type { Db } from '../db/db.ts'
import type { Registry } from '../metrics/registry.ts'
import { mountHealth, type Readiness } from './health.ts'
import { createListener, drain, listen } from './listener.ts'
import { sendMetrics } from './metrics.ts'
import type { HttpServer } from './server.ts'

/**
 * Starts the HTTP listener for operators. With port 0, the system chooses a free port. Rejects with EADDRINUSE if the
 * port is in use.
 */
export async function startOperatorListener(
  app: { db: Db; metrics: Registry },
  { host, port, readiness }: { host: string; port: number; readiness: Readiness },
): Promise<HttpServer> {
  const router = new Router()
  mountHealth(router, app.db, readiness)
  router.get('/metrics', ctx => sendMetrics(ctx, app))
  const server = createListener(
    { headersTimeout: 10_000, requestTimeout: 10_000 },
    new Koa().use(router.routes()).callback(),
  )
  const url = await listen(server, { host, port })
  return { url, stop: () => drain(server) }
}
