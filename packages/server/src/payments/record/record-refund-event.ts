import type { Tx } from '../../db/db.ts'
import { lockPaymentsWithBalances } from '../payment.sql.ts'
import { loadRecords, loadRefunds, newBatch } from './event-batch.ts'
import { recordRefund } from './record-refund.ts'
import { applyRefundEvent, type PaymentRefund, type RefundEvent } from './refund.ts'
import { writeBatch } from './write-batch.ts'

/**
 * Records a refund that the operator requested for recorded unexpected money, and posts the refund's debit. The payment
 * must already be locked.
 */
export async function recordOperatorRefund(tx: Tx, refund: PaymentRefund, at: Date): Promise<void> {
  const { payments, balances } = await lockPaymentsWithBalances(tx, [refund])
  const batch = newBatch(payments, at, balances)
  recordRefund(batch, undefined, refund, 'owner')
  await writeBatch(tx, batch)
}

/**
 * Records a refund event in a single commit, with its transfers, timeline entry and webhook. Returns the refund
 * after the event. If the refund's status does not allow the event, the function records nothing and returns
 * `isRefused` as true.
 */
export async function recordRefundEvent(
  tx: Tx,
  { tenantId, paymentId, id }: Pick<PaymentRefund, 'tenantId' | 'paymentId' | 'id'>,
  event: RefundEvent,
  { cause, at }: { cause: string; at: Date },
): Promise<{ before: PaymentRefund; refund: PaymentRefund; isRefused: boolean }> {
  const key = { tenantId, paymentId }
  const { payments, balances } = await lockPaymentsWithBalances(tx, [key])
  const batch = newBatch(payments, at, balances)
  await loadRefunds(tx, batch)
  const before = batch.refundsOf(key).find(refund => refund.id === id)
  if (!before) throw new Error(`there is no refund ${id} of payment ${paymentId}`)
  if (before.refundedMoneyId !== null) await loadRecords(tx, batch)
  const { kind, refund } = applyRefundEvent(before, event, at)
  recordRefund(batch, before, refund, cause)
  await writeBatch(tx, batch)
  return { before, refund, isRefused: kind === 'refused' }
}
