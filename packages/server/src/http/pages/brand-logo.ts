// Serves /branding/<tenant id>/logo/<hash>, which is a tenant's logo for pages that payers see. Because of the default
// headers, browsers do not execute the file or guess its type, and other sites cannot embed it.

import type Router from '@koa/router'
import { findLogo } from '../../branding/branding.sql.ts'
import type { Db } from '../../db/db.ts'
import { isId } from '../../values/id.ts'

export function mountBrandLogo(router: Router, db: Db): void {
  router.get('/branding/:tenantId/logo/:sha256', async ctx => {
    const { tenantId = '', sha256 = '' } = ctx.params
    if (!isId(tenantId) || !/^[0-9a-f]{64}$/.test(sha256)) return
    const logo = await findLogo(db, tenantId, sha256)
    if (!logo) return
    // The URL contains the file's hash, so the response never changes.
    ctx.set('Cache-Control', 'public, max-age=31536000, immutable')
    ctx.type = logo.type
    ctx.body = logo.data
  })
}
