// Serves /docs and /openapi.json to browsers and tools. Both are public, need no credentials or cookies, and have
// no response envelope.

import type Router from '@koa/router'
import type { Context as KoaContext } from 'koa'
import { type SiteOptions, site } from '../../docs/site.ts'
import { loadOnce, type Resource, textResource } from './resource.ts'
import { sendResource } from './send-resource.ts'

/**
 * The Content-Security-Policy for the documentation. It allows requests to this service, because the page downloads
 * the search index from it.
 */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
export function mountDocs(router: Router, options: SiteOptions): void {
  const docs = site(options)
  const document = loadOnce(async () => textResource('application/json; charset=utf-8', options.openapi))
  router.get('/openapi.json', async ctx => send(ctx, await document(), {}))
  router.get('/docs', ctx => sendPage(ctx, ''))
  router.get('/docs/assets/:version/:name', async ctx => {
    const asset = await docs.asset(ctx.params.name ?? '')
    if (!asset) return sendMissing(ctx)
    // During an upgrade, a page from another release may request a different version of this asset. The response
    // then contains the version of this release, so the browser must not cache the response under the requested
    // version.
    const isAsked = asset.version === ctx.params.version
    await send(ctx, asset, { caching: isAsked ? 'public, max-age=31536000, immutable' : 'no-cache' })
  })
  router.get('/docs/*path', ctx => sendPage(ctx, ctx.params.path ?? ''))

  async function sendPage(ctx: KoaContext, path: string): Promise<void> {
    const page = await docs.page(path)
    if (!page) return sendMissing(ctx)
    await send(ctx, page, {})
  }

  async function sendMissing(ctx: KoaContext): Promise<void> {
    await send(ctx, await docs.missing(ctx.path.replace(/^\/docs\/?/, '')), { status: 404 })
  }
}

type Answer = { status?: number; caching?: string }

const send = (ctx: KoaContext, resource: Resource, answer: Answer): Promise<void> =>
  sendResource(ctx, resource, { caching: 'no-cache', policy, ...answer })
