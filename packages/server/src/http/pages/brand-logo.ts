// Serves /branding/<tenant id>/logo/<hash>, which is a tenant's logo for pages that payers see. Because of the default
// headers, browsers do not execute the file or guess its type, and other sites cannot embed it.

import type { IncomingMessage } from 'node:http'
import type Router from '@koa/router'
import { findLogo } from '../../branding/branding.sql.ts'
import type { Db } from '../../db/db.ts'
import { largeReadLimit } from '../../fairness/large-read-limit.ts'
import { isId } from '../../values/id.ts'
import { onResponseEnd } from '../response-end.ts'

const MIB = 1024 * 1024

/**
 * Limits the logos that a network source has requested but not received yet. A logo has up to 100 kB and is read from the
 * database for each request. Clients that do not read their responses could otherwise use up the memory.
 */
const limitLogos = largeReadLimit({
  bytesPerSecond: 4 * MIB,
  burst: 4 * MIB,
  maxWaiting: 32,
  unreceived: { all: 32 * MIB, own: 8 * MIB },
  small: 1,
})

export function mountBrandLogo(router: Router, db: Db, sourceOf: (request: IncomingMessage) => string): void {
  router.get('/branding/:tenantId/logo/:sha256', async ctx => {
    const { tenantId = '', sha256 = '' } = ctx.params
    if (!isId(tenantId) || !/^[0-9a-f]{64}$/.test(sha256)) return
    const reader = { owner: sourceOf(ctx.req), onReceived: onResponseEnd(ctx.res) }
    const { logo } = await limitLogos(reader, async () => {
      const logo = await findLogo(db, tenantId, sha256)
      return { logo, bytes: logo?.data.length ?? 0 }
    })
    if (!logo) return
    // The URL contains the file's hash, so the response never changes.
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
    ctx.type = logo.type
    ctx.body = logo.data
  })
}
