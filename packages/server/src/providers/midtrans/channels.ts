// What Midtrans offers through the Core API. Amounts are from docs.midtrans.com, "minimum and maximum transaction
// amount" (30 March 2026), expiries from the page of each method. NOTES.md names the contradictions.

import { rupiah } from '../../money.ts'
import { type Channel, type ProviderMethod, QRIS_MAX_AMOUNT } from '../provider.ts'

const MILLION = 1_000_000
const BILLION = 1_000 * MILLION
const DAY = 24 * 60

/** Midtrans names no maximum for some banks; null then. The shortest expiry is 20 s, below our shortest payment. */
const channel = (
  code: string,
  name: string,
  [minRupiah, maxRupiah]: readonly [number, number | null],
  maxExpiryMinutes: number,
  needs: { mobileNumber?: true } = {},
): Channel => ({
  code,
  name,
  limits: {
    wholeRupiah: true,
    minAmount: rupiah(minRupiah),
    ...(maxRupiah !== null && { maxAmount: rupiah(maxRupiah) }),
    minExpiryMinutes: 1,
    maxExpiryMinutes,
    ...needs,
  },
})

const qris = channel('qris', 'QRIS', [1, null], 7 * DAY)

export const methods: ProviderMethod[] = [
  {
    type: 'virtual_account',
    channels: [
      channel('bca', 'BCA', [10_000, 20 * BILLION], 180 * DAY),
      channel('bni', 'BNI', [1, null], 180 * DAY),
      channel('bri', 'BRI', [1, 20 * BILLION], 180 * DAY),
      channel('cimb', 'CIMB Niaga', [1, 250 * MILLION], 180 * DAY),
      channel('permata', 'Permata', [1, 10 * BILLION - 1], 180 * DAY),
      channel('mandiri', 'Mandiri', [1, 50 * BILLION], 180 * DAY),
    ],
  },
  { type: 'qris', channels: [{ ...qris, limits: { ...qris.limits, maxAmount: QRIS_MAX_AMOUNT } }] },
  {
    type: 'e_wallet',
    channels: [
      channel('gopay', 'GoPay', [1, 20 * MILLION], 7 * DAY),
      channel('shopeepay', 'ShopeePay', [1, 20 * MILLION], 5 * DAY),
      // It lives for 65 s; two minutes are the shortest payment we take, and Midtrans' report ends it.
      channel('ovo', 'OVO', [1, 100 * MILLION - 1], 2, { mobileNumber: true }),
    ],
  },
  {
    type: 'over_the_counter',
    channels: [
      channel('alfamart', 'Alfamart', [1, 5 * MILLION], 180 * DAY),
      channel('indomaret', 'Indomaret', [10_000, 5 * MILLION], 180 * DAY),
    ],
  },
  {
    type: 'cardless_credit',
    channels: [
      channel('akulaku', 'Akulaku', [5_000, null], DAY),
      channel('kredivo', 'Kredivo', [1, null], DAY),
    ],
  },
]
