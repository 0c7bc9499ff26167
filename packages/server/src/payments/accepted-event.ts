import type { AcceptedCharge } from '../providers/provider.ts'
import type { MethodData } from './method.ts'
import type { Payment, PaymentEvent } from './payment.ts'
import { withQrImageUrl } from './qr-code.ts'
import { statusPageUrl } from './status-page-url.ts'

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
  methodData: withRedirectUrl(withQrImageUrl(methodData, paymentCode, publicUrl), paymentCode, publicUrl),
})

/**
 * Adds a redirect URL if the e-wallet has no payment page, as OVO has none. The merchant can then always redirect the
 * payer. The status page asks the payer to confirm the payment in the app.
 */
function withRedirectUrl(data: MethodData, paymentCode: string, publicUrl: string): MethodData {
  if (data.type !== 'e_wallet' || data.redirect_url !== '') return data
  return { ...data, redirect_url: statusPageUrl(paymentCode, publicUrl) }
}
