// Refunds unexpected money to the payer. The Owner's decision, the refund and its debit are stored in one transaction.
// After this transaction has been committed, the service requests the refund from the provider.

import type { Actor } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { outerTransaction } from '../db/outer-transaction.ts'
import { fault } from '../faults/fault.ts'
import { addLogFields, type Logger } from '../logging/log.ts'
import { listRefundsOfPayments } from '../payments/record/refund.sql.ts'
import type { PaymentRefund } from '../payments/record/refund.ts'
import { listRecordsOfPayments } from '../payments/record/unexpected-money.sql.ts'
import { type PaidAttempt, paidAttempt } from '../payments/refund/paid-attempt.ts'
import { sendRefund } from '../payments/refund/send-refund.ts'
import type { LoadAccount } from '../provider-accounts/load-account.ts'
import type { ProviderHealth } from '../provider-accounts/provider-health.ts'
import { isId } from '../values/id.ts'
import type { Clock } from '../values/time.ts'
import { applyDecision } from './apply-decision.ts'
import { decideRefund, type RefundRequest, type UnexpectedMoneyRow } from './decision.ts'
import { planRefund } from './plan-refund.ts'
import { findUnexpectedMoney, isSeparatelyCredited } from './unexpected-money-list.sql.ts'

type Deps = {
  db: Db
  clock: Clock
  log: Logger
  accountOf: LoadAccount
  health: ProviderHealth
  publicIp: string | undefined
}

/**
 * Refunds the money of an unexpected money record. If its payment is unknown, only records that the Owner (the
 * operator) sent the money back. Returns the record in its state after the provider's response.
 */
export async function refundMoney(
  app: Deps,
  owner: Actor,
  id: string,
  request: RefundRequest,
): Promise<UnexpectedMoneyRow> {
  const attempt = await attemptOfMoney(app, id)
  let created: PaymentRefund | undefined
  const decided = await applyDecision(app, owner, id, {
    verb: 'refund',
    reason: request.reason,
    decide: async (money, payment, tx) => {
      const keys = payment ? [{ tenantId: payment.tenantId, paymentId: payment.id }] : []
      const records = await listRecordsOfPayments(tx, keys)
      const facts = { records, isSeparatelyCredited: await isSeparatelyCredited(tx, money) }
      const decision = decideRefund(money, payment, facts, request)
      const { refund: returned, ...applied } = decision
      if (!returned || !payment) {
        if (request.bankAccount) throw fault('bank_account_without_payment', {}, { field: 'bank_account' })
        return applied
      }
      // Another user has meanwhile assigned the money to a payment. This decision was prepared without that
      // payment's charge attempt, so it is outdated.
      if (!attempt)
        throw fault('money_decided', { status: money.status, at: null, reason: String(money.reason) })
      const refunds = await listRefundsOfPayments(tx, keys)
      const situation = { money, payment, records, refunds, attempt, at: app.clock() }
      const planned = planRefund(situation, returned, request)
      created = planned.refund
      return { ...applied, ...planned }
    },
  })
  if (!created) return decided
  addLogFields({ refundId: created.id })
  // A request with an idempotency key commits only after this function returns. Its refund must not be sent
  // before the commit, so a background job sends it later.
  const isCommitted = outerTransaction() === undefined
  if (created.nextCheckAt !== null && isCommitted) await sendRefund(app, created)
  return (await findUnexpectedMoney(app.db, id)) ?? decided
}

/**
 * Loads the charge attempt that received the money in a record. Returns undefined if it is not known which
 * payment the money is for.
 */
async function attemptOfMoney(app: Deps, id: string): Promise<PaidAttempt | undefined> {
  const money = isId(id) ? await findUnexpectedMoney(app.db, id) : undefined
  if (!money || money.tenantId === null || money.paymentId === null) return undefined
  const key = { tenantId: money.tenantId, paymentId: money.paymentId }
  return paidAttempt(app, key, money)
}
