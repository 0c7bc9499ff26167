// Serves /docs and /openapi.json to browsers and tools. Both are public and need no credentials or cookies, and their
// responses have no envelope.

import type Router from '@koa/router'
import type { Context as KoaContext } from 'koa'
import { site } from '../../docs/site.ts'
import { loadOnce, type Resource, textResource } from './resource.ts'
import { sendResource } from './send-resource.ts'

const strictPolicy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
/**
 * The content security policy of the API reference. Scalar's script sets style attributes and elements, and uses icons
 * in data: URLs. It loads the API document from this service and sends "try it" requests only to this service.
 */
const referencePolicy = strictPolicy
  .replace("style-src 'self'", "style-src 'self' 'unsafe-inline'")
  .replace("img-src 'self'", "img-src 'self' data:; connect-src 'self'")

export function mountDocs(router: Router, openapi: string): void {
  const docs = site()
  const document = loadOnce(async () => textResource('application/json; charset=utf-8', openapi))
  router.get('/openapi.json', async ctx => send(ctx, await document(), {}))
  router.get('/docs', ctx => sendPage(ctx, ''))
  router.get('/docs/assets/:version/:name', async ctx => {
    const asset = await docs.asset(ctx.params.name ?? '')
    if (!asset) return sendMissing(ctx)
    // Behind a load balancer, a page of another version of the service may request this asset. Its request gets the
    // current asset, which is not cached.
    const isAsked = asset.version === ctx.params.version
    await send(ctx, asset, { caching: isAsked ? 'public, max-age=31536000, immutable' : 'no-cache' })
  })
  router.get('/docs/:slug', ctx => sendPage(ctx, ctx.params.slug ?? ''))
  router.get('/docs/*path', sendMissing)

  async function sendPage(ctx: KoaContext, slug: string): Promise<void> {
    const page = await docs.page(slug)
    if (!page) return sendMissing(ctx)
    await send(ctx, page, slug === 'reference' ? { policy: referencePolicy } : {})
  }

  async function sendMissing(ctx: KoaContext): Promise<void> {
    await send(ctx, await docs.missing(), { status: 404 })
  }
}

type Answer = { status?: number; caching?: string; policy?: string }

const send = (ctx: KoaContext, resource: Resource, answer: Answer): Promise<void> =>
  sendResource(ctx, resource, { caching: 'no-cache', policy: strictPolicy, ...answer })
