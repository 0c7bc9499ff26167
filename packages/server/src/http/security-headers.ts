// What every answer tells a browser. Only /docs, /dashboard and /return are pages, and send headers of their own (docs.ts, dashboard.ts,
// return-page.ts): an answer of the API is not to be run, framed, guessed the type of, or kept by a cache that others read.

import type Koa from 'koa'

const always = {
  'X-Content-Type-Options': 'nosniff',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'Cache-Control': 'no-store',
}
/** A year. Subdomains are not ours to speak for. */
const transport = { 'Strict-Transport-Security': 'max-age=31536000' }

const plain = Object.entries(always)
const secure = Object.entries({ ...always, ...transport })

/** Where callers reach the service by https, they are told to keep to it. */
export const securityHeadersOf = ({ publicUrl }: { publicUrl: string }): [name: string, value: string][] =>
  publicUrl.startsWith('https:') ? secure : plain

/** An answer's own headers take the place of these. */
export const securityHeaders =
  (app: { publicUrl: string }): Koa.Middleware =>
  (ctx, next) => {
    for (const [name, value] of securityHeadersOf(app)) ctx.res.setHeader(name, value)
    return next()
  }
