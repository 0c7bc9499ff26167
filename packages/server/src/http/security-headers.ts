// The security headers of every response. Browsers must not execute or frame an API response or guess its content type,
// and neither browsers nor shared caches may store it. The pages under /docs, /dashboard and /return have their own
// headers.

import type Koa from 'koa'

const always = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}
/**
 * For one year, makes browsers connect to this host only over https. Subdomains are not included, because
 * they may belong to other services.
 */
const transport = { 'Strict-Transport-Security': 'max-age=31536000' }

const plain = Object.entries(always)
const secure = Object.entries({ ...always, ...transport })

/** Returns the security headers. If the public URL uses https, they include Strict-Transport-Security. */
export const securityHeadersOf = ({ publicUrl }: { publicUrl: string }): [name: string, value: string][] =>
  publicUrl.startsWith('https:') ? secure : plain

/** Sets the security headers before the request is processed, so that a page's handler can override them. */
export const securityHeaders =
  (app: { publicUrl: string }): Koa.Middleware =>
  (ctx, next) => {
    for (const [name, value] of securityHeadersOf(app)) ctx.res.setHeader(name, value)
    return next()
  }
