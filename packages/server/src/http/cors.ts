// Lets web pages from any origin read the API. No cookie authorizes a read, so a page needs an API key or a token. Only
// GET requests are allowed, so that a page with a leaked key cannot change anything.

import type Koa from 'koa'

/**
 * How long browsers may cache a preflight response: one day, which is also the longest time that any browser
 * supports.
 */
const MAX_AGE_SECONDS = 86_400

/**
 * Adds the CORS headers, and responds to preflight requests. Preflight requests have no credential and count toward no
 * rate limit.
 */
export const cors: Koa.Middleware = (ctx, next) => {
  if (!isReadable(ctx.path)) return next()
  const isPreflight = ctx.method === 'OPTIONS' && ctx.get('Access-Control-Request-Method') === 'GET'
  if (ctx.method !== 'GET' && !isPreflight) return next()
  // Every response to a GET request has the header Access-Control-Allow-Origin, even if the request has no Origin
  // header. A cache may reuse the response for a request from another origin.
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
