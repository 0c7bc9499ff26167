// Pages of any origin may read the API: a report or a dashboard of the merchant's own, a tool that shows the API
// document. No cookie gives a right to what is read here, so an origin gives none, and `*` takes none away: what a page can read
// is what its credential can. Nothing but GET is allowed, so that a key which slipped into a page creates and
// changes nothing from there.

import type Koa from 'koa'

/** A day, which is the longest that any browser keeps the answer to a preflight. */
const MAX_AGE_SECONDS = 86_400

/** Answers preflights itself: they come without a credential, and belong to no rate limit. */
export const cors: Koa.Middleware = (ctx, next) => {
  if (!isReadable(ctx.path)) return next()
  const isPreflight = ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') === 'GET'
  if (ctx.method !== 'GET' && !isPreflight) return next()
  // On every answer, with or without an Origin: a cache on the way need not tell them apart.
  ctx.set('Access-Control-Allow-Origin', '*')
  if (!isPreflight) {
    ctx.set(
      'Access-Control-Expose-Headers',
      'X-Request-Id, Retry-After, Idempotency-Replayed, RateLimit, RateLimit-Policy',
    )
    return next()
  }
  ctx.set({
    'Access-Control-Allow-Methods': 'GET',
    'Access-Control-Allow-Headers': 'Authorization, Accept, X-Request-Id',
    'Access-Control-Max-Age': String(MAX_AGE_SECONDS),
  })
  ctx.status = 204
}

const isReadable = (path: string): boolean => path.startsWith('/v1/') || path === '/openapi.json'
