// Serves /dashboard from the build of packages/dashboard. Every path under /dashboard returns the same HTML document.
// Scripts and styles may be cached forever, because their file names change when their content changes.

import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import type Router from '@koa/router'
import type { Context as KoaContext } from 'koa'
import { fault } from '../../faults/fault.ts'
import { repository } from '../../repository.ts'
import { loadOnce, type Resource, resource } from './resource.ts'
import { ofPages, sendResource } from './send-resource.ts'

const dist = join(repository, 'packages/dashboard/dist')
const assets = join(dist, 'assets')

/**
 * A placeholder in the built HTML document (packages/dashboard/vite.config.ts). Each response replaces it
 * with a new nonce for the content security policy.
 */
const NONCE = '__nonce__'

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}

/**
 * Returns the content security policy of a document. The UI library Mantine adds style elements, which browsers accept
 * only with the nonce of this response. The page draws QR codes itself, so it needs no images from providers.
 */
const policyWith = (nonce: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'self' 'nonce-${nonce}'; img-src 'self' data:; font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'`

export function mountDashboard(router: Router): void {
  const document = loadOnce(() => readFile(join(dist, 'index.html'), 'utf8').catch(explainMissing))
  const files = loadOnce(readAssets)

  // Redirects browsers from / to the dashboard. Clients that do not accept HTML get the error for an unknown path.
  router.get('/', ctx => {
    ctx.vary('Accept')
    if (ctx.accepts('json', 'html') === 'html') ctx.redirect('/dashboard')
  })
  router.get('/dashboard', sendDocument)
  router.get('/dashboard/assets/:name', async ctx => {
    const asset = (await files()).get(ctx.params.name ?? '')
    if (asset) await sendResource(ctx, asset, { caching: 'public, max-age=31536000, immutable' })
  })
  router.get('/dashboard/*path', sendDocument)

  async function sendDocument(ctx: KoaContext): Promise<void> {
    const html = await document()
    const nonce = randomBytes(16).toString('base64')
    ctx.set({ ...ofPages, 'Content-Security-Policy': policyWith(nonce) })
    ctx.type = 'text/html; charset=utf-8'
    ctx.body = html.replaceAll(NONCE, nonce)
  }
}

async function readAssets(): Promise<Map<string, Resource>> {
  const names = await readdir(assets).catch(explainMissing)
  return new Map(
    names.flatMap(name => {
      const type = types[extname(name)]
      return type ? [[name, resource(type, name, () => readFile(join(assets, name)))]] : []
    }),
  )
}

function explainMissing(cause: unknown): never {
  throw fault('dashboard_not_built', {}, { retryAfterSeconds: 10, cause })
}
