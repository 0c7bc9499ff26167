import { fault } from '../../faults/fault.ts'
import type { AnyProvider } from '../../providers/provider.ts'
import { brokenRefundRule, type RefundAttempt } from '../../providers/refund-terms.ts'
import type { Payment } from '../payment.ts'
import type { BankAccount, PaymentRefund } from '../record/refund.ts'
import { refundRuleFault } from './refund-rule-fault.ts'
import { refundNamesOf, refundTermsOf } from './refundable.ts'

/**
 * Returns how the money is refunded: by the provider, or by the operator with a transfer to the payer's bank
 * account. `attempt` is the charge attempt that received the money, or undefined if the provider cannot
 * refund the money at all. Throws an error if a required bank account is missing, or if a bank account is
 * given although the provider makes the refund.
 */
export function refundMethodOf(
  { provider, payment }: { provider: AnyProvider; payment: Payment },
  attempt: RefundAttempt | undefined,
  bankAccount: BankAccount | undefined,
  at: Date,
): Pick<PaymentRefund, 'method' | 'bankAccount' | 'nextCheckAt'> {
  const broken = attempt
    ? brokenRefundRule(refundTermsOf(provider, payment), attempt)
    : ({ rule: 'no_refunds' } as const)
  const names = refundNamesOf(provider, payment)
  if (broken && !bankAccount) throw refundRuleFault(broken, names)
  if (!broken && bankAccount) throw fault('bank_account_not_needed', names, { field: 'bank_account' })
  return broken && bankAccount
    ? { method: 'manual', bankAccount, nextCheckAt: null }
    : { method: 'provider', bankAccount: null, nextCheckAt: at }
}
