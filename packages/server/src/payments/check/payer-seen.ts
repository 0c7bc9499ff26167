import type { App } from '../../app.ts'
import type { PaymentKey } from '../payment.sql.ts'

/**
 * Notes that the payer opened a page of the payment or returned from the wallet, so that the payment is polled within
 * seconds instead of at its next scheduled inquiry. The function never blocks and never throws.
 */
export const payerSeen = ({ earlyChecks }: Pick<App, 'earlyChecks'>, key: PaymentKey): void =>
  earlyChecks.notePayer(key)
