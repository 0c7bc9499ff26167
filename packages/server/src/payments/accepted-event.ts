import type { AcceptedCharge } from '../providers/provider.ts'
import type { Payment, PaymentEvent } from './payment.ts'
import { withQrImageUrl } from './qr-code.ts'

/**
 * Returns the event to record when the provider accepts a payment. The provider reports the acceptance in the
 * charge response or later.
 */
export const acceptedEvent = (
  { providerPaymentId, methodData }: AcceptedCharge,
  { paymentCode }: Pick<Payment, 'paymentCode'>,
  publicUrl: string,
): PaymentEvent => ({
  type: 'accepted',
  providerPaymentId,
  methodData: withQrImageUrl(methodData, paymentCode, publicUrl),
})
