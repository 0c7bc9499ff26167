// The JSON envelope (`success` and `data` or `error`) of every response under /v1.

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
  if (error.status === 401) ctx.set('WWW-Authenticate', challengeTo(error))
  const isTrpc = /^\/trpc(\/|$)/.test(ctx.path)
  ctx.body = isTrpc
    ? JSON.stringify({ error: trpcShape({ ...shownOf(error), ...failureOf(error, requestId) }) })
    : errorBody(error, requestId)
}

/**
 * Returns the WWW-Authenticate header, which offers both authentication schemes (RFC 9110, 11.6.1). It reports an
 * invalid token only if the request's access token is the reason for the error (RFC 6750, 3.1).
 */
export const challengeTo = ({ fault }: Pick<GatewayError, 'fault'>): string =>
  `Bearer realm="gapura"${fault === 'access_token_invalid' ? ', error="invalid_token"' : ''}, ApiKey realm="gapura"`

export const errorBody = (error: GatewayError, requestId: string): string =>
  JSON.stringify({ success: false, error: failureOf(error, requestId) })

export const failureOf = (error: GatewayError, requestId: string) => ({
  code: error.code,
  message: error.code === 'INTERNAL_ERROR' ? `internal error: ${requestId}` : error.message,
  ...error.shown,
})

const shownOf = ({ fault, params, field, shown }: GatewayError) => ({ fault, params, field, shown })
