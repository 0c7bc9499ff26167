import type { Accepted } from '../providers/provider.ts'
import type { Payment, PaymentEvent } from './payment.ts'
import { withPicture } from './qr-code.ts'

/** That a provider took the payment, whether it says so in answer to the charge or later. */
export const acceptance = (
  { providerPaymentId, methodData }: Accepted,
  { paymentCode }: Pick<Payment, 'paymentCode'>,
  publicUrl: string,
): PaymentEvent => ({
  type: 'accepted',
  providerPaymentId,
  methodData: withPicture(methodData, paymentCode, publicUrl),
})
