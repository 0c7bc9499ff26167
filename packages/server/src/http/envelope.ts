// The format of every response below /v1.

import type { Context as KoaContext } from 'koa'
import { trpcShape } from '../api/trpc.ts'
import type { GatewayError } from '../faults/errors.ts'

export function sendData(ctx: KoaContext, data: unknown): void {
  ctx.status = 200
  ctx.type = 'application/json'
  ctx.body = JSON.stringify({ success: true, data })
}

export function sendError(ctx: KoaContext, error: GatewayError, requestId: string): void {
  ctx.status = error.status
  ctx.type = 'application/json'
  if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds))
  if (error.code === 'UNAUTHORIZED') ctx.set('WWW-Authenticate', challengeTo(ctx.get('authorization')))
  const isTrpc = /^\/trpc(\/|$)/.test(ctx.path)
  ctx.body = isTrpc
    ? JSON.stringify({ error: trpcShape({ ...shownOf(error), ...failureOf(error, requestId) }) })
    : errorBody(error, requestId)
}

/**
 * Returns the WWW-Authenticate header. It offers both authentication schemes (RFC 9110, 11.6.1), and reports an invalid
 * token only if a Bearer token was sent (RFC 6750, 3.1).
 */
export const challengeTo = (authorization: string): string =>
  `Bearer realm="gapura"${/^bearer\b/i.test(authorization) ? ', error="invalid_token"' : ''}, ApiKey realm="gapura"`

export const errorBody = (error: GatewayError, requestId: string): string =>
  JSON.stringify({ success: false, error: failureOf(error, requestId) })

export const failureOf = (error: GatewayError, requestId: string) => ({
  code: error.code,
  message: error.code === 'INTERNAL_ERROR' ? `internal error: ${requestId}` : error.message,
})

const shownOf = ({ fault, params, field }: GatewayError) => ({ fault, params, field })

/** Returns the caller's request id if it is safe in headers and logs; otherwise a generated id. */
export function requestIdOf(given: string, make: () => string): string {
  return /^[\w.:-]{1,128}$/.test(given) ? given : make()
}
