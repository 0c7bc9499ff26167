// Sends a page or an asset, compressed if the browser accepts it. If the browser has a current copy, sends a 304
// without a body.

import type { Context as KoaContext } from 'koa'
import type { Encoding, Resource } from './resource.ts'

type Answer = { status?: number; caching: string; policy?: string }

/**
 * Sends a static resource. Without `policy` (a content security policy), the response has the default policy and no
 * page headers.
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
 * Returns the response's encoding. If the browser accepts br and gzip equally, returns br, because it compresses
 * better.
 */
function encodingOf(ctx: KoaContext): Encoding {
  if (ctx.acceptsEncodings('br') === 'br') return 'br'
  return ctx.acceptsEncodings('gzip') === 'gzip' ? 'gzip' : 'identity'
}
