import { fault } from '../../faults/fault.ts'
import type { AnyProvider } from '../../providers/provider.ts'
import { brokenRefundRule, type RefundAttempt } from '../../providers/refund-terms.ts'
import type { Payment } from '../payment.ts'
import type { BankAccount, PaymentRefund } from '../record/refund.ts'
import { refundRuleFault } from './refund-rule-fault.ts'
import { refundNamesOf, refundTermsOf } from './refundable.ts'

/**
 * Returns who refunds the money: the provider, or the operator by bank transfer. `attempt` is the refund to check
 * against the provider's rules, or undefined if the provider cannot make this refund. Throws if the operator must make
 * the refund but no bank account is given. Also throws if the provider makes the refund but a bank account is given.
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
