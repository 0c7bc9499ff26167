// What Midtrans offers over BI-SNAP. Amounts are those of Midtrans' acquirers, which are the same as in the Core API
// (docs.midtrans.com, 30 March 2026); expiries are of the page of each method. NOTES.md has the sources.

import { rupiah } from '../../money.ts'
import { type Channel, type ProviderMethod, QRIS_MAX_AMOUNT } from '../provider.ts'

const MILLION = 1_000_000
const BILLION = 1_000 * MILLION
const DAY = 24 * 60

/** maxRupiah null: Midtrans names none. The shortest expiry is 20 s, below our shortest payment. */
const channel = (
  code: string,
  name: string,
  [minRupiah, maxRupiah]: readonly [number, number | null],
  maxExpiryMinutes: number,
): Channel => ({
  code,
  name,
  limits: {
    wholeRupiah: true,
    minAmount: rupiah(minRupiah),
    ...(maxRupiah !== null && { maxAmount: rupiah(maxRupiah) }),
    minExpiryMinutes: 1,
    maxExpiryMinutes,
  },
})

const qris = channel('qris', 'QRIS', [1, null], 180 * DAY)

export const methods: ProviderMethod[] = [
  {
    type: 'virtual_account',
    // No longest expiry is documented for SNAP; Midtrans' Core API has 180 days.
    channels: [
      channel('bca', 'BCA', [10_000, 20 * BILLION], 180 * DAY),
      channel('bni', 'BNI', [1, null], 180 * DAY),
      channel('bri', 'BRI', [1, 20 * BILLION], 180 * DAY),
      channel('mandiri', 'Mandiri', [1, 50 * BILLION], 180 * DAY),
      channel('permata', 'Permata', [1, 10 * BILLION - 1], 180 * DAY),
      channel('cimb', 'CIMB Niaga', [1, 250 * MILLION], 180 * DAY),
      channel('danamon', 'Danamon', [1, null], 180 * DAY),
    ],
  },
  { type: 'qris', channels: [{ ...qris, limits: { ...qris.limits, maxAmount: QRIS_MAX_AMOUNT } }] },
  {
    type: 'e_wallet',
    channels: [
      channel('gopay', 'GoPay', [1, 20 * MILLION], 180 * DAY),
      channel('shopeepay', 'ShopeePay', [1, 20 * MILLION], 5 * DAY),
      channel('dana', 'DANA', [1, 20 * MILLION], DAY),
    ],
  },
]
