// Records that the merchant won a chargeback, for providers that send no message about this. The operator decides, and
// the decision is accepted only if the response to a status inquiry no longer lists the chargeback.

import { type Actor, auditedTransaction } from '../../audit/audited-transaction.ts'
import type { Db } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Logger } from '../../logging/log.ts'
import type { LoadAccount } from '../../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../../provider-accounts/provider-health.ts'
import type { InquiryResult } from '../../providers/provider.ts'
import type { Clock } from '../../values/time.ts'
import { sendInquiry } from '../inquire/send-inquiry.ts'
import { lockPaymentsWithBalances } from '../payment.sql.ts'
import { loadRecords, newBatch } from '../record/event-batch.ts'
import { recordedAsWon } from '../record/plan-returned-money.ts'
import { recordRefund } from '../record/record-refund.ts'
import { applyRefundEvent, isChargebackWithoutId, type PaymentRefund } from '../record/refund.ts'
import { findOriginOfMoney } from '../record/unexpected-money.sql.ts'
import { writeBatch } from '../record/write-batch.ts'
import { type PaidAttempt, paidAttempt } from './paid-attempt.ts'
import { auditedResolution } from './resolution-audit.ts'

type Deps = { db: Db; clock: Clock; log: Logger; accountOf: LoadAccount; health: ProviderHealth }

/**
 * Records a debited chargeback as won, which credits the merchant. Throws an error if the provider does not confirm
 * that the order has no chargeback, or if only the provider's own report may record the win.
 */
export async function resolveChargeback(
  app: Deps,
  owner: Actor,
  found: PaymentRefund,
  reason: string,
): Promise<PaymentRefund> {
  const attempt = await attemptOfChargeback(app, found)
  requireNotListed(await sendInquiry(app, attempt.payment), attempt.provider.name)
  const key = { tenantId: found.tenantId, paymentId: found.paymentId }
  return auditedTransaction(app, owner, async tx => {
    const at = app.clock()
    const { payments, balances } = await lockPaymentsWithBalances(tx, [key])
    const batch = newBatch(payments, at, balances)
    await loadRecords(tx, batch)
    const before = batch.refundsOf(key).find(({ id }) => id === found.id)
    const record = batch.recordsOf(key).find(({ id }) => id === found.unexpectedMoneyId)
    if (!before || !record)
      throw new Error(`there is no chargeback ${found.id} of payment ${found.paymentId}`)
    if (before.status === 'failed') throw fault('refund_not_pending', { status: before.status })
    // Each report of a chargeback changes its `updatedAt`. If `updatedAt` has changed, or the provider's ID is now
    // known, the chargeback was reported again after the inquiry was sent.
    const isReported =
      before.updatedAt.getTime() !== found.updatedAt.getTime() || before.providerRefundId !== null
    if (isReported) throw fault('chargeback_reported_again')
    const { refund } = applyRefundEvent(before, { type: 'failed', reason }, at)
    batch.putRecords([recordedAsWon(record, reason, at)])
    recordRefund(batch, before, refund, 'owner')
    await writeBatch(tx, batch)
    return auditedResolution(before, refund, reason)
  })
}

/**
 * Loads the charge attempt of a chargeback that the operator may record as won. Throws an error in these cases:
 *
 * - The provider itself reports won chargebacks.
 * - The chargeback was assigned to the payment, so the service cannot send a status inquiry about the chargeback's
 *   order.
 */
async function attemptOfChargeback(app: Deps, refund: PaymentRefund): Promise<PaidAttempt> {
  if (!isChargebackWithoutId(refund)) throw fault('refund_of_provider', { name: 'chargeback' })
  const origin = await findOriginOfMoney(app.db, refund.unexpectedMoneyId)
  const attempt = await paidAttempt(app, refund, origin)
  const isOfOrder = attempt.isOwnOrder && attempt.account.id === origin?.providerAccountId
  if (!attempt.provider.omitsWonChargebacks) throw fault('refund_of_provider', { name: 'chargeback' })
  if (!isOfOrder) throw fault('chargeback_of_other_order')
  return attempt
}

/** Throws an error unless the provider reports the order as paid and lists no chargeback. */
function requireNotListed(result: InquiryResult | 'no answer', provider: string): void {
  if (typeof result === 'string') throw fault('chargeback_unconfirmed', { provider })
  if (result.returns?.some(({ kind }) => kind === 'chargeback'))
    throw fault('chargeback_still_listed', { provider })
  if (result.fact.type !== 'paid') throw fault('chargeback_unconfirmed', { provider })
}
