import type { Context as KoaContext } from 'koa'
import type { App } from '../app.ts'
import { GatewayError } from '../faults/errors.ts'
import { currentLogFields } from '../logging/log.ts'
import type { RequestState } from './procedure-context.ts'

/**
 * The route that reads the request log. Requests for this route are not logged, because a client that polls
 * the log would fill it with its own requests.
 */
const LOG_ROUTE = '/v1/account/requests'

/**
 * Adds a REST request that was sent with a tenant's API key to the request log. Requests without a valid key are not
 * logged, because they belong to no tenant. Requests with the API key of a dashboard session are not logged either,
 * because the tenant's own program did not send them.
 */
export function noteApiRequest(
  app: App,
  ctx: KoaContext,
  { requestId, failure, ms }: { requestId: string; failure: GatewayError | undefined; ms: number },
): void {
  const { caller, clientAddress } = ctx.state as RequestState
  if (caller === undefined || caller instanceof GatewayError) return
  if (caller.kind !== 'api_key' || caller.isSessionKey) return
  const route = ctx._matchedRoute?.replace(/:(\w+)/g, '{$1}') ?? ''
  if (!route.startsWith('/v1/') || route.startsWith(LOG_ROUTE)) return
  const { paymentId = null, paymentCode = null } = currentLogFields()
  app.noteApiRequest({
    tenantId: caller.tenantId,
    mode: caller.mode,
    apiKeyId: caller.keyId,
    requestId,
    method: ctx.method,
    route,
    params: (ctx.params as Record<string, string> | undefined) ?? {},
    status: ctx.status,
    errorCode: failure?.code ?? null,
    errorField: failure?.field ?? null,
    idempotencyKey: ctx.get('x-idempotency-key') || null,
    durationMs: Math.round(ms),
    clientAddress: clientAddress ?? null,
    userAgent: ctx.get('user-agent') || null,
    paymentId,
    paymentCode,
  })
}
