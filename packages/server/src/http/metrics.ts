// Serves /metrics for Prometheus. This route is not part of the API: its responses do not have the API's JSON
// envelope, and it does not accept the credentials of tenants.

import { createHash, timingSafeEqual } from 'node:crypto'
import type Router from '@koa/router'
import ipaddr from 'ipaddr.js'
import type { Context as KoaContext } from 'koa'
import type { Registry } from '../metrics/registry.ts'

/**
 * Adds the route /metrics. Without a configured metrics token, the route exists only if the service listens on a
 * loopback address, which other machines cannot reach. A reverse proxy could still forward other machines' requests.
 * Requests with a proxy's headers therefore get 404, but nginx, for example, adds none of them by default.
 */
export function mountMetrics(
  router: Router,
  app: { metrics: Registry },
  { host, metricsToken }: { host: string; metricsToken: string | undefined },
): void {
  if (metricsToken === undefined && !isLoopback(host)) return
  router.get('/metrics', async ctx => {
    if (metricsToken === undefined && isForwarded(ctx)) return
    if (metricsToken !== undefined && !bears(ctx.get('authorization'), metricsToken)) {
      ctx.status = 401
      ctx.set('WWW-Authenticate', 'Bearer')
      ctx.body = 'send Authorization: Bearer with the value of GAPURA_METRICS_TOKEN\n'
      return
    }
    await sendMetrics(ctx, app)
  })
}

export async function sendMetrics(ctx: KoaContext, { metrics }: { metrics: Registry }): Promise<void> {
  ctx.type = metrics.contentType
  ctx.body = await metrics.metrics()
}

/**
 * Returns whether the Authorization header contains the metrics token. The hashes of the tokens are compared in
 * constant time. Hashes have equal lengths, so the duration of the comparison does not reveal the length of the
 * token.
 */
function bears(authorization: string, token: string): boolean {
  const given = /^bearer +(\S+)$/i.exec(authorization)?.[1] ?? ''
  return timingSafeEqual(sha256(given), sha256(token))
}
const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Returns whether the request has a header that shows that a proxy forwarded it. */
const isForwarded = (ctx: KoaContext): boolean =>
  ['x-forwarded-for', 'x-real-ip', 'forwarded', 'via'].some(name => ctx.get(name) !== '')

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')
