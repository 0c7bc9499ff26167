// The security headers of every response. They prevent browsers and shared caches from executing, framing,
// content-sniffing or storing an API response. Only /docs, /dashboard and /return are pages. Their handlers set
// different headers (docs.ts, dashboard.ts, return-page.ts).

import type Koa from 'koa'

const always = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}
/**
 * Browsers use only https for one year. Subdomains are not included, because they may belong to other
 * services.
 */
const transport = { 'Strict-Transport-Security': 'max-age=31536000' }

const plain = Object.entries(always)
const secure = Object.entries({ ...always, ...transport })

/** Returns the security headers. They include Strict-Transport-Security if the public URL uses https. */
export const securityHeadersOf = ({ publicUrl }: { publicUrl: string }): [name: string, value: string][] =>
  publicUrl.startsWith('https:') ? secure : plain

/** Sets the security headers before the request is processed, so that the handler of a page can override them. */
export const securityHeaders =
  (app: { publicUrl: string }): Koa.Middleware =>
  (ctx, next) => {
    for (const [name, value] of securityHeadersOf(app)) ctx.res.setHeader(name, value)
    return next()
  }
