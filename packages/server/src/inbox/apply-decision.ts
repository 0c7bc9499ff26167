import { type Actor, auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db, Tx } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { lockPayments, type PaymentKey } from '../payments/payment.sql.ts'
import type { Payment } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { recordOperatorRefund } from '../payments/record/record-refund-event.ts'
import { recordAcceptedReturn } from '../payments/record/record-returns.ts'
import type { PaymentRefund } from '../payments/record/refund.ts'
import { updateUnexpectedMoney } from '../payments/record/unexpected-money.sql.ts'
import type { UnexpectedMoney } from '../payments/record/unexpected-money.ts'
import { isId } from '../values/id.ts'
import type { Clock } from '../values/time.ts'
import type { Decision, UnexpectedMoneyRow } from './decision.ts'
import { findUnexpectedMoney, lockUnexpectedMoney } from './unexpected-money-list.sql.ts'

export type Deps = { db: Db; clock: Clock }

type DecisionRequest = {
  verb: 'accept' | 'assign' | 'refund' | 'dismiss'
  reason: string
  /**
   * The payment to which the Owner (the operator) assigns the money. If undefined, the money's assignment
   * does not change.
   */
  assignedTo?: PaymentKey
  /**
   * Decides what happens to the unexpected money and returns this decision. If the state of the record does
   * not allow the decision, throws an error.
   */
  decide: (
    money: UnexpectedMoneyRow,
    payment: Payment | undefined,
    tx: Tx,
  ) => DecisionToApply | Promise<DecisionToApply>
}

export type DecisionToApply = Decision & {
  refund?: PaymentRefund
  /**
   * The record of the provider's report about this refund, if the provider has already sent one. The decision closes
   * this record too.
   */
  matched?: UnexpectedMoney
}

/**
 * Applies the decision of the Owner (the operator) on unexpected money. In one transaction, changes the record,
 * its payment, the ledger and the audit log. If several decisions on the same record are made at the same time,
 * only one succeeds.
 */
export async function applyDecision(
  app: Deps,
  owner: Actor,
  id: string,
  { verb, reason, assignedTo, decide }: DecisionRequest,
): Promise<UnexpectedMoneyRow> {
  const found = isId(id) ? await findUnexpectedMoney(app.db, id) : undefined
  if (!found) throw moneyNotFound(id)
  const key = assignedTo ?? keyOf(found)
  const now = app.clock()
  return auditedTransaction(app, owner, async tx => {
    // Payments are locked before unexpected money records. Reports from providers are processed with the same
    // lock order, so a decision and a report cannot deadlock.
    const [payment] = key ? await lockPayments(tx, [key]) : []
    const before = await lockUnexpectedMoney(tx, id)
    if (!assignedTo && before.paymentId !== found.paymentId)
      throw fault('money_decided', { status: before.status, at: null, reason: String(before.reason) })
    const decision = await decide(before, payment, tx)
    const { status, credited, event, debit, refund, matched, amount = before.amount } = decision
    const after: UnexpectedMoneyRow = {
      ...before,
      ...(payment && {
        tenantId: payment.tenantId,
        paymentId: payment.id,
        paymentCode: payment.paymentCode,
        expectedAmount: payment.amount,
      }),
      status,
      credited,
      amount,
      decidedAt: now,
      reason,
    }
    await updateUnexpectedMoney(tx, [after, ...(matched ? [asMatched(matched, now)] : [])])
    if (debit !== undefined && key)
      await recordAcceptedReturn(tx, key, after, { cause: 'owner', reason, at: now })
    if (event && key) {
      const [recorded] = await recordEvents(tx, [{ ...key, event, cause: 'owner', detail: reason }], now)
      if (recorded?.kind !== 'changed')
        throw new Error(`the event ${event.type} did not change the payment ${key.paymentId}`)
    }
    if (refund) await recordOperatorRefund(tx, refund, now)
    return {
      result: after,
      action: `unexpected_money.${verb}`,
      tenantId: after.tenantId,
      subjectId: id,
      before: facts(before),
      after: {
        ...facts(after),
        amount: (refund?.amount ?? debit ?? creditedBy(event)).toString(),
        ...(refund && { refund_id: refund.id, method: refund.method }),
        reason,
      },
    }
  })
}

export const moneyNotFound = (id: string) => fault('unexpected_money_not_found', { id })

const keyOf = ({ tenantId, paymentId }: UnexpectedMoneyRow): PaymentKey | undefined =>
  tenantId !== null && paymentId !== null ? { tenantId, paymentId } : undefined

const asMatched = (reported: UnexpectedMoney, at: Date): UnexpectedMoney => ({
  ...reported,
  status: 'dismissed',
  decidedAt: at,
  reason: 'the provider refunded unexpected money that was never credited',
})

/** Returns those fields of an unexpected money record that are shown in the audit log. */
const facts = ({ status, credited, paymentId }: UnexpectedMoneyRow) => ({
  status,
  in_ledger: credited,
  payment_id: paymentId,
})

function creditedBy(event: Decision['event']): bigint {
  if (event?.type === 'paid') return event.amountPaid
  return event?.type === 'paid_again' ? event.amount : 0n
}
