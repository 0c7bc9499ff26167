import { entryTypeOf, type Transfer } from '../../ledger/transfer.ts'
import { currentSpan, isTracing, paymentSpan, startSpan } from '../../tracing/span.ts'
import type { EventToRecord, Recorded } from './event-batch.ts'

/**
 * Adds a span to each changed payment's trace, with a link to the span that recorded the whole batch of events. The
 * times in `at` are in milliseconds since 1970.
 */
export function traceChanges(
  inputs: EventToRecord[],
  results: Recorded[],
  transfers: Transfer[],
  at: { startedMs: number; postedMs: number },
): void {
  if (!isTracing()) return
  const links = [currentSpan()]
  for (const [index, { kind, payment }] of results.entries())
    if (kind === 'changed')
      startSpan(`record ${payment.status}`, {
        parent: paymentSpan(payment.id),
        links,
        startTime: at.startedMs,
        attributes: {
          'gapura.tenant_id': payment.tenantId,
          'gapura.payment_code': payment.paymentCode,
          'gapura.cause': inputs[index]?.cause,
        },
      })?.end()
  for (const each of transfers)
    if (each.paymentId !== null)
      startSpan(`post ${entryTypeOf(each) ?? 'transfer'}`, {
        parent: paymentSpan(each.paymentId),
        links,
        startTime: at.postedMs,
      })?.end()
}
