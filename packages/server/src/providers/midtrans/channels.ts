// Midtrans' Core API channels. The expiry limits come from each method's documentation page.

import type { ProviderMethod } from '../provider.ts'
import { channel, DAY_MINUTES as DAY, refundTerms } from './acquirers.ts'

export const methods: ProviderMethod[] = [
  {
    type: 'virtual_account',
    channels: [
      channel('bca', 'BCA', 180 * DAY),
      channel('bni', 'BNI', 180 * DAY),
      channel('bri', 'BRI', 180 * DAY),
      channel('cimb', 'CIMB Niaga', 180 * DAY),
      channel('permata', 'Permata', 180 * DAY),
      channel('mandiri', 'Mandiri', 180 * DAY),
    ],
  },
  { type: 'qris', channels: [channel('qris', 'QRIS', 7 * DAY, { refund: refundTerms.qris })] },
  {
    type: 'e_wallet',
    channels: [
      channel('gopay', 'GoPay', 7 * DAY, { refund: refundTerms.gopay }),
      channel('shopeepay', 'ShopeePay', 5 * DAY, { refund: refundTerms.shopeepay }),
      // Midtrans expires an OVO payment after 65 s, but this service's shortest expiry is two minutes. The payment
      // therefore expires as soon as Midtrans reports it as expired, before the two minutes are over.
      channel('ovo', 'OVO', 2, { mobileNumber: true, refund: refundTerms.ovo }),
    ],
  },
  {
    type: 'over_the_counter',
    channels: [channel('alfamart', 'Alfamart', 180 * DAY), channel('indomaret', 'Indomaret', 180 * DAY)],
  },
  {
    type: 'cardless_credit',
    channels: [
      channel('akulaku', 'Akulaku', DAY, { refund: refundTerms.akulaku }),
      channel('kredivo', 'Kredivo', DAY, { refund: refundTerms.kredivo }),
    ],
  },
]
