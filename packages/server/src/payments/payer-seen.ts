import type { App } from '../app.ts'
import type { PaymentKey } from './payment.sql.ts'

/**
 * The payer opened a page of the payment or returned from the wallet: the provider is asked about it within seconds
 * instead of at its next scheduled inquiry. Never waits, and never fails.
 */
export const payerSeen = ({ earlyChecks }: Pick<App, 'earlyChecks'>, key: PaymentKey): void =>
  earlyChecks.notePayer(key)
