// Closes a connection only after the client has had time to read an error response. If the server closed it too
// early, the client could lose the response (RFC 9112, 9.6). A reverse proxy that sends `Connection: close` would
// then respond with 502.

import { finished } from 'node:stream'
import type { Context } from 'koa'

/** The connection closes if no bytes arrive for this long. The value is nginx's default for `lingering_timeout`. */
const IDLE_MS = 5_000
/** The connection closes after this number of bytes, which is the largest body nginx forwards by default. */
const MAX_DISCARDED_BYTES = 1024 * 1024

/**
 * Returns whether the connection will close after the response while the client may still be sending a body. If a
 * connection stays open, Node discards the rest of the body. With HTTP/2, only the stream ends.
 */
export const isStillSending = ({ req, res, headerSent }: Context): boolean =>
  req.httpVersionMajor < 2 && !req.complete && !res.shouldKeepAlive && !headerSent

/**
 * Sends the response set in the context, then reads and discards the rest of the body before the connection closes.
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
