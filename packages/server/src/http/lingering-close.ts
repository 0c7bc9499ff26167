// Closes a connection only after the client has had time to read an error response. If the connection is closed too
// early, the client can lose the response (RFC 9112, 9.6). A reverse proxy that sends `Connection: close` would then
// return 502 to its client.

import { finished } from 'node:stream'
import type { Context } from 'koa'

/**
 * If no bytes arrive for this long, the connection is closed. nginx uses the same value by default
 * (`lingering_timeout`).
 */
const IDLE_MS = 5_000
/**
 * The connection is closed after this many bytes of the request body have been discarded. The limit is the
 * size of the largest request body that nginx forwards by default.
 */
const MAX_DISCARDED_BYTES = 1024 * 1024

/**
 * Returns true if the client may still be sending the request body and the connection will close after the response. If
 * the connection stays open, Node discards the rest of the body. An HTTP/2 connection always stays open, because only
 * the stream ends.
 */
export const isStillSending = ({ req, res, headerSent }: Context): boolean =>
  req.httpVersionMajor < 2 && !req.complete && !res.shouldKeepAlive && !headerSent

/**
 * Sends `ctx.body` as the response. Then reads and discards the rest of the request body before the connection is
 * closed.
 */
export async function sendBeforeLingeringClose(ctx: Context): Promise<void> {
  const { req, res } = ctx
  const body = String(ctx.body)
  ctx.respond = false
  ctx.length = Buffer.byteLength(body)
  res.write(body)
  await discardBody(req)
  res.end()
}

async function discardBody(request: Context['req']): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, IDLE_MS)
  let bytes = 0
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > MAX_DISCARDED_BYTES) resolve()
    else timer.refresh()
  })
  finished(request, { writable: false }, () => resolve())
  await promise
  clearTimeout(timer)
}
