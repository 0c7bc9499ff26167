// Lets pages of any origin read the API: a merchant's own report or dashboard, or a tool that shows the API document.
// No cookie authorizes these reads, so `*` is safe: a page can read only what its credential allows. Only GET is
// allowed, so that a key that leaked into a page cannot create or change anything from there.

import type Koa from 'koa'

/** A day, the longest that any browser caches a preflight response. */
const MAX_AGE_SECONDS = 86_400

/** Responds to preflights itself: they have no credential and count toward no rate limit. */
export const cors: Koa.Middleware = (ctx, next) => {
  if (!isReadable(ctx.path)) return next()
  const isPreflight = ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') === 'GET'
  if (ctx.method !== 'GET' && !isPreflight) return next()
  // Sent with every response, with or without an Origin, so that caches need not distinguish them.
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
