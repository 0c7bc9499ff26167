// Confirms a partial payment before the operator accepts it. More money may have been received since the callback, or the
// provider may have returned the money.

import { fault } from '../../faults/fault.ts'
import type { InquiryResult } from '../../providers/provider.ts'
import type { Cents } from '../../values/money.ts'
import type { Payment } from '../payment.ts'
import { inquireAndReport } from './inquire-and-record.ts'

type Deps = Parameters<typeof inquireAndReport>[0]

/**
 * Money received for a payment that covers only part of its amount. `receipt` is the provider's ID for this money, or an
 * empty string. `sum` is the total amount received under this ID.
 */
export type PartialPayment = { receipt: string; sum: Cents }

/**
 * Sends a status inquiry about the charge attempt that received a partial payment, and records the result. Returns the
 * updated payment. `assertConfirmed` throws a fault if the provider did not respond or did not confirm the money. Must not
 * be called inside a transaction.
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
 * Returns whether the provider reports received money that includes the partial payment, and still has it. If the provider
 * reports money with another ID, as after a second partial payment, its amount says nothing about this partial payment. A
 * refund or chargeback may then have returned either of them.
 */
function confirms(result: InquiryResult, { receipt, sum }: PartialPayment): boolean {
  if (typeof result === 'string' || result.fact.type !== 'paid') return false
  const { receipt: reported = '', amountPaid } = result.fact
  const returned = (result.returns ?? []).filter(({ status }) => status !== 'failed')
  if (reported !== '' && receipt !== '' && reported !== receipt) return returned.length === 0
  const left = returned.reduce((rest, { amount }) => rest - (amount ?? amountPaid), amountPaid)
  return left >= sum
}
