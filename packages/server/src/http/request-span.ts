import type { Context as KoaContext } from 'koa'
import { currentLogFields } from '../logging/log.ts'
import { inSpan, spanOfTraceparent } from '../tracing/span.ts'

/**
 * Runs a request in a trace span. The route of the request is not known when the span starts, so the span is named
 * after the route when the request ends.
 */
export const inRequestSpan = (
  ctx: KoaContext,
  requestId: string,
  handle: () => Promise<void>,
): Promise<void> =>
  inSpan(
    ctx.method,
    {
      kind: 'server',
      parent: 'none',
      links: [spanOfTraceparent(ctx.get('traceparent'))],
      attributes: { 'http.request.method': ctx.method, 'gapura.request_id': requestId },
    },
    async span => {
      await handle()
      const route = ctx._matchedRoute ?? ''
      span?.updateName(`${ctx.method} ${route}`.trim())
      const { tenantId = '', paymentId = '', callbackId = '' } = currentLogFields()
      span?.setAttributes({
        'http.route': route,
        'http.response.status_code': ctx.status,
        'gapura.tenant_id': tenantId,
        'gapura.payment_id': paymentId,
        'gapura.callback_id': callbackId,
      })
    },
  )
