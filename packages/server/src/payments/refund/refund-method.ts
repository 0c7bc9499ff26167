import { fault } from '../../faults/fault.ts'
import {
  type BrokenRefundRule,
  brokenRefundRule,
  type RefundAttempt,
  type RefundTerms,
} from '../../providers/refund-terms.ts'
import type { BankAccount, PaymentRefund } from '../record/refund.ts'
import type { PaidAttempt } from './paid-attempt.ts'
import { refundRuleFault } from './refund-rule-fault.ts'
import { refundNamesOf, refundTermsOf } from './refundable.ts'

/**
 * Returns who refunds the money: the provider, or the operator by bank transfer. The provider can refund only money
 * that one of the payment's own orders received (`isOwnOrder`), and only if its rules allow the refund `attempt`.
 * Throws an error if `bankAccount` is missing for a bank transfer, or is given although the provider makes the refund.
 */
export function refundMethodOf(
  { provider, payment, isOwnOrder }: Pick<PaidAttempt, 'provider' | 'payment' | 'isOwnOrder'>,
  attempt: RefundAttempt | undefined,
  bankAccount: BankAccount | undefined,
  at: Date,
): Pick<PaymentRefund, 'method' | 'bankAccount' | 'nextCheckAt'> {
  const broken = isOwnOrder ? brokenRule(refundTermsOf(provider, payment), attempt) : otherOrder
  const names = refundNamesOf(provider, payment)
  if (broken && !bankAccount) throw refundRuleFault(broken, names)
  if (!broken && bankAccount) throw fault('bank_account_not_needed', names, { field: 'bank_account' })
  return broken && bankAccount
    ? { method: 'manual', bankAccount, nextCheckAt: null }
    : { method: 'provider', bankAccount: null, nextCheckAt: at }
}

const otherOrder = { rule: 'other_order' } as const

const brokenRule = (
  terms: RefundTerms | undefined,
  attempt: RefundAttempt | undefined,
): BrokenRefundRule | undefined => (attempt ? brokenRefundRule(terms, attempt) : { rule: 'no_refunds' })
