// The one shape of every answer below /v1.

import type { Context as KoaContext } from 'koa'
import type { GatewayError } from '../errors.ts'

export function succeed(ctx: KoaContext, data: unknown): void {
  ctx.status = 200
  ctx.type = 'application/json'
  ctx.body = JSON.stringify({ success: true, data })
}

export function fail(ctx: KoaContext, error: GatewayError, requestId: string): void {
  ctx.status = error.status
  ctx.type = 'application/json'
  if (error.retryAfterSeconds !== undefined) ctx.set('Retry-After', String(error.retryAfterSeconds))
  ctx.body = failureBody(error, requestId)
}

export const failureBody = (error: GatewayError, requestId: string): string =>
  JSON.stringify({ success: false, error: failureOf(error, requestId) })

export const failureOf = (error: GatewayError, requestId: string) => ({
  code: error.code,
  message: error.code === 'INTERNAL_ERROR' ? `internal error: ${requestId}` : error.message,
})

/** The caller's id where it is fit for headers and logs, else one of ours. */
export function requestIdOf(given: string, make: () => string): string {
  return /^[\w.:-]{1,128}$/.test(given) ? given : make()
}
