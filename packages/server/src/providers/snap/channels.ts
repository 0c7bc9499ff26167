// The channels of Midtrans' BI-SNAP API. Their acquirers and amount limits are those of Midtrans' Core API. Their
// expiry limits come from each method's documentation page (sources: NOTES.md).

import { channel, DAY_MINUTES as DAY, refundTerms } from '../midtrans/acquirers.ts'
import type { ProviderMethod } from '../provider.ts'

export const methods: ProviderMethod[] = [
  {
    type: 'virtual_account',
    // Midtrans documents no maximum expiry for SNAP virtual accounts, so its Core API's 180 days are used.
    channels: [
      channel('bca', 'BCA', 180 * DAY),
      channel('bni', 'BNI', 180 * DAY),
      channel('bri', 'BRI', 180 * DAY),
      channel('mandiri', 'Mandiri', 180 * DAY),
      channel('permata', 'Permata', 180 * DAY),
      channel('cimb', 'CIMB Niaga', 180 * DAY),
      channel('danamon', 'Danamon', 180 * DAY),
    ],
  },
  { type: 'qris', channels: [channel('qris', 'QRIS', 180 * DAY, { refund: refundTerms.qris })] },
  {
    type: 'e_wallet',
    // BI-SNAP refund requests are documented only for GoPay and QRIS (docs.midtrans.com refund-api).
    channels: [
      channel('gopay', 'GoPay', 180 * DAY, { refund: refundTerms.gopay }),
      channel('shopeepay', 'ShopeePay', 5 * DAY),
      channel('dana', 'DANA', DAY),
    ],
  },
]
