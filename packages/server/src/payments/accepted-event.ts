import type { Accepted } from '../providers/provider.ts'
import type { Payment, PaymentEvent } from './payment.ts'
import { withPicture } from './qr-code.ts'

/** Returns the event for a payment that the provider accepted, in the charge response or in a later report. */
export const acceptance = (
  { providerPaymentId, methodData }: Accepted,
  { paymentCode }: Pick<Payment, 'paymentCode'>,
  publicUrl: string,
): PaymentEvent => ({
  type: 'accepted',
  providerPaymentId,
  methodData: withPicture(methodData, paymentCode, publicUrl),
})
