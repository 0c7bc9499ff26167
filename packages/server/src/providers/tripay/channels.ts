// Tripay's channels, from the table at tripay.co.id/developer.

import { rupiah } from '../../values/money.ts'
import type { Channel, ProviderMethod } from '../provider.ts'

const channel = (
  code: string,
  name: string,
  [minRupiah, maxRupiah]: readonly [number, number],
  [minExpiryMinutes, maxExpiryMinutes]: readonly [number, number],
): Channel => ({
  code,
  name,
  limits: {
    wholeRupiah: true,
    minAmount: rupiah(minRupiah),
    maxAmount: rupiah(maxRupiah),
    minExpiryMinutes,
    maxExpiryMinutes,
  },
})

const DAY = 24 * 60
const account = [10_000, 10_000_000] as const
const store = [10_000, 2_500_000] as const
const wallet = [1_000, 10_000_000] as const

export const methods: ProviderMethod[] = [
  {
    type: 'virtual_account',
    channels: [
      channel('bca', 'BCA', account, [15, 30 * DAY]),
      channel('bni', 'BNI', account, [15, DAY]),
      channel('bri', 'BRI', account, [60, 30 * DAY]),
      channel('mandiri', 'Mandiri', account, [60, 30 * DAY]),
      channel('permata', 'Permata', account, [60, 30 * DAY]),
      channel('cimb', 'CIMB Niaga', account, [15, 30 * DAY]),
      channel('danamon', 'Danamon', account, [15, 30 * DAY]),
      channel('ocbc', 'OCBC NISP', account, [15, 30 * DAY]),
      channel('bsi', 'BSI', account, [60, 180]),
      channel('muamalat', 'Muamalat', account, [60, 180]),
      channel('other', 'Other banks', account, [15, DAY]),
    ],
  },
  { type: 'qris', channels: [channel('qris', 'QRIS', [1_000, 5_000_000], [10, 60])] },
  {
    type: 'e_wallet',
    channels: [
      channel('ovo', 'OVO', wallet, [15, 30 * DAY]),
      channel('dana', 'DANA', wallet, [15, 60]),
      channel('shopeepay', 'ShopeePay', wallet, [15, 60]),
    ],
  },
  {
    type: 'over_the_counter',
    channels: [
      channel('alfamart', 'Alfamart', store, [60, DAY]),
      channel('indomaret', 'Indomaret', store, [15, 30 * DAY]),
      channel('alfamidi', 'Alfamidi', [5_000, 2_500_000], [60, DAY]),
    ],
  },
]

export const findChannel = (type: ProviderMethod['type'], code: string): Channel | undefined =>
  methods.find(method => method.type === type)?.channels.find(each => each.code === code)
