import type { PaymentKey } from '../payment.sql.ts'
import type { EarlyChecks } from './early-checks.ts'

/**
 * Notes that the payer opened a page of the payment or returned from the wallet, so that the payment is polled within
 * seconds instead of at its next scheduled inquiry. The function never blocks and never throws.
 */
export const payerSeen = ({ earlyChecks }: { earlyChecks: EarlyChecks }, key: PaymentKey): void =>
  earlyChecks.notePayerWaiting(key)
