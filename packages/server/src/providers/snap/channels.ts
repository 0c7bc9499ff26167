// What Midtrans offers over BI-SNAP, with the amounts of the same acquirers as in the Core API. Expiries are from the page
// of each method. NOTES.md has the sources.

import { channel, DAY_MINUTES as DAY } from '../midtrans/acquirers.ts'
import type { ProviderMethod } from '../provider.ts'

export const methods: ProviderMethod[] = [
  {
    type: 'virtual_account',
    // No longest expiry is documented for SNAP; Midtrans' Core API has 180 days.
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
  { type: 'qris', channels: [channel('qris', 'QRIS', 180 * DAY)] },
  {
    type: 'e_wallet',
    channels: [
      channel('gopay', 'GoPay', 180 * DAY),
      channel('shopeepay', 'ShopeePay', 5 * DAY),
      channel('dana', 'DANA', DAY),
    ],
  },
]
