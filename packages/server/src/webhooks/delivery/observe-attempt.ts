// Records a webhook delivery attempt in the metrics, and in the trace of the payment that the event is about.

import { paymentSpan, startSpan } from '../../tracing/span.ts'
import { timeOfId } from '../../values/id.ts'
import type { StoredBody } from '../stored-body.ts'
import type { LeasedEvent } from './lease.sql.ts'
import { type AttemptClass, webhookMetrics } from './webhook-metrics.ts'

/**
 * Starts measuring a webhook delivery attempt. The caller must call the returned function when the attempt
 * ends.
 */
export function observeAttempt(
  { id, tenantId, paymentId, type, isFirst }: Omit<LeasedEvent, keyof StoredBody>,
  url: string,
  at: Date,
): (attemptClass: AttemptClass) => void {
  if (isFirst) webhookMetrics.firstDelay.observe(Math.max(at.getTime() - timeOfId(id).getTime(), 0) / 1_000)
  const span = startSpan('webhook attempt', {
    kind: 'client',
    parent: (paymentId && paymentSpan(paymentId)) || 'none',
  })
  // The span contains only the callback URL's host, because the path may contain a merchant's secret.
  span?.setAttributes({
    'server.address': new URL(url).host,
    'gapura.event_id': id,
    'gapura.event_type': type,
    'gapura.tenant_id': tenantId,
  })
  const started = performance.now()
  return attemptClass => {
    webhookMetrics.attempts.inc({ class: attemptClass })
    webhookMetrics.seconds.observe((performance.now() - started) / 1_000)
    span?.setAttribute('gapura.attempt_class', attemptClass).end()
  }
}
