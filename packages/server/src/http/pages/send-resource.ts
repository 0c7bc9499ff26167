// Sends a page or an asset, compressed if the browser accepts compression. If the browser already has a current copy,
// sends a 304 response without a body.

import type { Context as KoaContext } from 'koa'
import type { Encoding, Resource } from './resource.ts'

type Answer = { status?: number; caching: string; policy?: string }

/**
 * Sends a static resource. Without a `policy` (a content security policy), the response has the default policy, and
 * none of the headers that only pages need.
 */
export async function sendResource(
  ctx: KoaContext,
  resource: Resource,
  { status = 200, caching, policy }: Answer,
): Promise<void> {
  const encoding = encodingOf(ctx)
  ctx.status = status
  ctx.set({
    ...(policy && { 'Content-Security-Policy': policy, ...ofPages }),
    'Cache-Control': caching,
    Vary: 'Accept-Encoding',
    ETag: `"${resource.version}-${encoding}"`,
  })
  if (ctx.fresh) {
    ctx.status = 304
    return
  }
  ctx.type = resource.type
  if (encoding !== 'identity') ctx.set('Content-Encoding', encoding)
  ctx.body = await resource.bytes(encoding)
}

/** The HTTP headers every page has in addition to its content security policy. */
export const ofPages = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/**
 * Returns the encoding for the response. If the browser accepts br, returns br even if the browser also accepts gzip,
 * because br compresses better.
 */
function encodingOf(ctx: KoaContext): Encoding {
  if (ctx.acceptsEncodings('br') === 'br') return 'br'
  return ctx.acceptsEncodings('gzip') === 'gzip' ? 'gzip' : 'identity'
}
