import type { App } from '../app.ts'
import { type Actor, act } from '../audit/act.ts'
import type { Payment } from '../payments/payment.ts'
import { refreshPayment } from '../payments/refresh-payment.ts'
import { getUnknownPayment } from './unknown-payment.ts'

/** Asks the provider now, at the operator's wish. What was not told leaves the payment as it is. */
export async function inquireUnknownPayment(
  app: Pick<App, 'db' | 'accountOf' | 'health' | 'record' | 'clock' | 'log' | 'publicUrl'>,
  owner: Actor,
  id: string,
): Promise<Payment> {
  const payment = await getUnknownPayment(app, id)
  // No transaction waits for a provider.
  const refreshed = await refreshPayment(app, payment)
  return act(app, owner, async () => ({
    result: refreshed,
    action: 'unknown_payment.inquire',
    tenantId: payment.tenantId,
    subjectId: id,
    before: { status: payment.status },
    after: { status: refreshed.status },
  }))
}
