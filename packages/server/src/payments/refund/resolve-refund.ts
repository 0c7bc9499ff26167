import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import { fault } from '../../faults/fault.ts'
import { isId } from '../../values/id.ts'
import { recordRefundEvent } from '../record/record-refund-event.ts'
import { findRefundById } from '../record/refund.sql.ts'
import {
  inquiriesEndAt,
  isRequestedHere,
  mayBeResolved,
  type PaymentRefund,
  type RefundEvent,
} from '../record/refund.ts'
import type { ResolveRefundInput } from './refund-input.ts'
import { auditedResolution } from './resolution-audit.ts'
import { resolveChargeback } from './resolve-chargeback.ts'

type Deps = Parameters<typeof resolveChargeback>[0]

/**
 * Records a refund outcome reported by the operator. The operator either made the refund by bank transfer or is
 * resolving an unknown outcome at the provider. Throws an error if the provider still determines the outcome.
 */
export async function resolveRefund(
  app: Deps,
  owner: Actor,
  id: string,
  { outcome, bank_reference: bankReference, reason }: ResolveRefundInput,
): Promise<PaymentRefund> {
  const found = isId(id) ? await findRefundById(app.db, null, id) : undefined
  if (!found) throw fault('refund_not_found', { id })
  if (outcome === 'succeeded' && found.method === 'manual' && !bankReference)
    throw fault('bank_reference_needed', {}, { field: 'bank_reference' })
  if (found.origin === 'chargeback' && outcome === 'failed')
    return resolveChargeback(app, owner, found, reason || 'the chargeback was won')
  const event: RefundEvent =
    outcome === 'failed'
      ? { type: 'failed', reason: reason || 'the operator recorded the failure' }
      : { type: 'succeeded', providerRefundId: null, ...(bankReference && { bankReference }) }
  return auditedTransaction(app, owner, async tx => {
    const at = app.clock()
    const { before, refund } = await recordRefundEvent(tx, found, event, { cause: 'owner', at })
    // `before` is the refund as it was read under the payment's lock. If `requireResolvable` throws an error,
    // the event that was just recorded is rolled back.
    requireResolvable(before, at)
    return auditedResolution(before, refund, event.type === 'failed' ? event.reason : reason)
  })
}

/**
 * Throws an error unless the operator may record the refund's outcome. If an operator could mark a refund as failed
 * that the provider still completes, the merchant would keep money that the payer got back.
 */
function requireResolvable(refund: PaymentRefund, at: Date): void {
  const { status, origin } = refund
  if (status !== 'pending') throw fault('refund_not_pending', { status })
  if (!isRequestedHere(origin))
    throw fault('refund_of_provider', { name: origin === 'chargeback' ? 'chargeback' : 'refund' })
  if (!mayBeResolved(refund, at))
    throw fault('refund_in_progress', { until: inquiriesEndAt(refund).toISOString() })
}
