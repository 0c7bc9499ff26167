import { type Actor, auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db, Tx } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { lockPayments, type PaymentKey } from '../payments/payment.sql.ts'
import type { Payment } from '../payments/payment.ts'
import { recordEvents } from '../payments/record/record-event.ts'
import { updateUnexpectedMoney } from '../payments/record/unexpected-money.sql.ts'
import { isId } from '../values/id.ts'
import type { Clock } from '../values/time.ts'
import type { Decision, UnexpectedMoneyRow } from './decision.ts'
import { findUnexpectedMoney, lockUnexpectedMoney } from './unexpected-money-list.sql.ts'

export type Deps = { db: Db; clock: Clock }

type DecisionRequest = {
  verb: 'accept' | 'assign' | 'refund' | 'dismiss'
  reason: string
  /** The payment to assign the money to. Without it, the money stays with the payment that it has, if any. */
  assignedTo?: PaymentKey
  /** Returns the decision about the money. Throws if the decision is not allowed. */
  decide: (money: UnexpectedMoneyRow, payment: Payment | undefined, tx: Tx) => Decision | Promise<Decision>
}

/**
 * Applies the Owner's decision on unexpected money to the record, its payment, the ledger and the audit log in one
 * transaction. Only one of several concurrent decisions on a record succeeds.
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
    // Payments are locked before records, in the same order as for provider reports, to avoid deadlocks.
    const [payment] = key ? await lockPayments(tx, [key]) : []
    const before = await lockUnexpectedMoney(tx, id)
    if (!assignedTo && before.paymentId !== found.paymentId)
      throw fault('money_decided', { status: before.status, at: null, reason: String(before.reason) })
    const { status, credited, event, amount = before.amount } = await decide(before, payment, tx)
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
    await updateUnexpectedMoney(tx, [after])
    if (event && key) {
      // The ledger posting of a refund already contains the reason in its own description.
      const detail = event.type === 'refunded' ? {} : { detail: reason }
      const [recorded] = await recordEvents(tx, [{ ...key, event, cause: 'owner', ...detail }], now)
      if (recorded?.kind !== 'changed') throw new Error(`${event.type} changed nothing on ${key.paymentId}`)
    }
    return {
      result: after,
      action: `unexpected_money.${verb}`,
      tenantId: after.tenantId,
      subjectId: id,
      before: facts(before),
      after: { ...facts(after), amount: creditedOrDebited(event)?.toString() ?? '0', reason },
    }
  })
}

export const moneyNotFound = (id: string) => fault('unexpected_money_not_found', { id })

const keyOf = ({ tenantId, paymentId }: UnexpectedMoneyRow): PaymentKey | undefined =>
  tenantId !== null && paymentId !== null ? { tenantId, paymentId } : undefined

/** Returns the fields of a record that the audit log shows. */
const facts = ({ status, credited, paymentId }: UnexpectedMoneyRow) => ({
  status,
  in_ledger: credited,
  payment_id: paymentId,
})

function creditedOrDebited(event: Decision['event']): bigint | undefined {
  if (event?.type === 'paid') return event.amountPaid
  return event && 'amount' in event ? event.amount : undefined
}
