// Asks the provider to confirm a partial payment before the operator accepts it. Since the callback, the provider may
// have received more money or returned some.

import { fault } from '../../faults/fault.ts'
import type { InquiryResult } from '../../providers/provider.ts'
import type { Cents } from '../../values/money.ts'
import type { Payment } from '../payment.ts'
import { inquireAndReport } from './inquire-and-record.ts'

type Deps = Parameters<typeof inquireAndReport>[0]

/**
 * Money that covers only part of a payment's amount. `receipt` is the provider's ID for this money, or an empty string.
 * `sum` is how much money with this ID has been received so far.
 */
export type PartialPayment = { receipt: string; sum: Cents }

/**
 * Sends a status inquiry about the charge attempt that received a partial payment, records the result and returns the
 * updated payment. `assertConfirmed` throws an error unless the provider has confirmed the money. Must not be called
 * inside a transaction.
 */
export async function confirmPartialPayment(
  app: Deps,
  attempt: Payment,
  part: PartialPayment,
): Promise<{ payment: Payment; assertConfirmed(): void }> {
  const { payment, result } = await inquireAndReport(app, attempt)
  const { paymentCode } = attempt
  return {
    payment,
    assertConfirmed() {
      if (result === 'no answer') throw fault('provider_silent', { paymentCode })
      if (!confirms(result, part)) throw fault('payment_not_confirmed', { paymentCode })
    },
  }
}

/**
 * Returns whether the provider confirms the partial payment by reporting at least `sum` as received. Refunds and
 * chargebacks are deducted from the reported amount. If the provider reports money with another ID, the amounts cannot
 * be compared. The partial payment is then confirmed only if nothing was returned.
 */
function confirms(result: InquiryResult, { receipt, sum }: PartialPayment): boolean {
  if (typeof result === 'string' || result.fact.type !== 'paid') return false
  const { receipt: reported = '', amountPaid } = result.fact
  const returned = (result.returns ?? []).filter(({ status }) => status !== 'failed')
  if (reported !== '' && receipt !== '' && reported !== receipt) return returned.length === 0
  const left = returned.reduce((rest, { amount }) => rest - (amount ?? amountPaid), amountPaid)
  return left >= sum
}
