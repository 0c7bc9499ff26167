// Lets pages of any origin read the API: a merchant's own report or dashboard, or a tool that shows the API document.
// No cookie authorizes these reads, so `*` is safe: a page can read only what its credential allows. Only GET is
// allowed, so that a key that leaked into a page cannot create or change anything from there.

import type Koa from 'koa'

/** One day, the longest time for which any browser caches a preflight response. */
const MAX_AGE_SECONDS = 86_400

/**
 * Adds the CORS headers. It also responds to preflight requests, which have no credential and count toward no rate
 * limit.
 */
export const cors: Koa.Middleware = (ctx, next) => {
  if (!isReadable(ctx.path)) return next()
  const isPreflight = ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') === 'GET'
  if (ctx.method !== 'GET' && !isPreflight) return next()
  // The header is sent with every response, even if the request has no Origin, so that a cache can use one response for
  // all requests.
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
