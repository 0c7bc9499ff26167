// How a page or a part of one is sent: compressed as the browser likes it, and not again where it has it already.

import type { Context as KoaContext } from 'koa'
import type { Encoding, Resource } from '../resource.ts'

type Answer = { status?: number; caching: string; policy?: string }

/** Without a policy of its own it is under that of every answer, and no page. */
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

/** What every page tells the browser besides its policy. */
export const ofPages = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()',
}

/** Of two that a browser likes equally, the smaller one: browsers list gzip first. */
function encodingOf(ctx: KoaContext): Encoding {
  if (ctx.acceptsEncodings('br') === 'br') return 'br'
  return ctx.acceptsEncodings('gzip') === 'gzip' ? 'gzip' : 'identity'
}
