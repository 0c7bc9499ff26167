// The kind of payment instruction on a payment page, such as an account number, a QR code or a link. Every
// payment has exactly one kind of instruction.

import type { Payment } from '../payments/payment-words.ts'

export type Means =
  | { kind: 'number'; value: string }
  | { kind: 'qr'; content: string }
  | { kind: 'picture'; href: string }
  | { kind: 'links'; page: string; app: string }
  /** The e-wallet has no payment page of its own. Instead, its app asks the payer to confirm the payment. */
  | { kind: 'app' }
  /** The provider accepted the payment, but its response with the instructions was lost. */
  | { kind: 'unknown' }

/**
 * Some providers have no payment page for OVO. The payer is then redirected to the service's own status page, which asks
 * them to confirm in the app.
 */
const isStatusPage = (url: string): boolean => /\/return\/GP[^/]+$/.test(url)

export function meansOf(data: Payment['method_data']): Means {
  switch (data.type) {
    case 'virtual_account':
      return data.va_number === '' ? { kind: 'unknown' } : { kind: 'number', value: data.va_number }
    case 'over_the_counter':
      return data.payment_code === '' ? { kind: 'unknown' } : { kind: 'number', value: data.payment_code }
    case 'qris':
      if (data.qr_string !== '') return { kind: 'qr', content: data.qr_string }
      return data.qr_image_url === '' ? { kind: 'unknown' } : { kind: 'picture', href: data.qr_image_url }
    case 'e_wallet': {
      const { wallet_type, redirect_url: page, deeplink: app } = data
      if (wallet_type.toLowerCase() === 'ovo' && (page === '' || isStatusPage(page))) return { kind: 'app' }
      return page === '' && app === ''
        ? { kind: 'unknown' }
        : { kind: 'links', page, app: app === page ? '' : app }
    }
  }
}
