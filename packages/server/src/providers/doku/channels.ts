// DOKU's channels. DOKU publishes limits for only a few of them; NOTES.md lists the known limits.

import { rupiah } from '../../values/money.ts'
import { type Channel, type ProviderMethod, QRIS_MAX_AMOUNT } from '../provider.ts'
import type { RefundTerms } from '../refund-terms.ts'

const MILLION = 1_000_000
const DAY = 24 * 60

/**
 * The refund terms for channels with partial refunds. DOKU documents no time limit and no minimum amount
 * (developers.doku.com, doku-nodejs-library refundRequestDTO), so this service sets none. DOKU rejects a refund
 * that is too late.
 */
const parts: RefundTerms = { amounts: 'partial' }
/**
 * ShopeePay payments can be refunded only in full, because DOKU's older refund request for ShopeePay contains
 * no amount.
 */
const inFull: RefundTerms = { amounts: 'full' }

/**
 * Returns a payment channel and its limits. `maxExpiryMinutes` is this adapter's own limit, because DOKU
 * documents no maximum expiry time.
 */
const channel = (
  code: string,
  name: string,
  maxExpiryMinutes: number,
  { refund, ...amounts }: Pick<Channel['limits'], 'minAmount' | 'maxAmount'> & { refund?: RefundTerms } = {},
): Channel => ({
  code,
  name,
  limits: { wholeRupiah: true, ...amounts, minExpiryMinutes: 1, maxExpiryMinutes },
  ...(refund && { refund }),
})

export const methods: ProviderMethod[] = [
  {
    type: 'virtual_account',
    channels: [
      channel('bca', 'BCA', 30 * DAY),
      channel('mandiri', 'Mandiri', 30 * DAY),
      channel('bsi', 'BSI', 30 * DAY),
      channel('bri', 'BRI', 30 * DAY),
      channel('doku', 'Any bank (DOKU)', 30 * DAY),
      channel('bni', 'BNI', 30 * DAY),
      channel('permata', 'Permata', 30 * DAY),
      channel('cimb', 'CIMB Niaga', 30 * DAY),
      channel('danamon', 'Danamon', 30 * DAY),
      channel('btn', 'BTN', 30 * DAY),
      channel('maybank', 'Maybank', 30 * DAY),
      channel('sinarmas', 'Sinarmas', 30 * DAY),
    ],
  },
  { type: 'qris', channels: [channel('qris', 'QRIS', DAY, { maxAmount: QRIS_MAX_AMOUNT, refund: parts })] },
  // OVO is not offered, because DOKU either requires a linked OVO account or responds up to 70 s after
  // notifying the payer's phone. DOKU Wallet and LinkAja are not offered, because DOKU documents no request
  // for them.
  {
    type: 'e_wallet',
    channels: [
      channel('dana', 'DANA', DAY, { refund: parts }),
      channel('shopeepay', 'ShopeePay', DAY, { refund: inFull }),
    ],
  },
  {
    type: 'over_the_counter',
    channels: [
      channel('alfamart', 'Alfamart', 30 * DAY, {
        minAmount: rupiah(10_000),
        maxAmount: rupiah(5 * MILLION),
      }),
      channel('indomaret', 'Indomaret', 30 * DAY),
    ],
  },
  {
    type: 'cardless_credit',
    channels: [
      channel('akulaku', 'Akulaku', DAY),
      channel('kredivo', 'Kredivo', DAY),
      channel('indodana', 'Indodana', DAY),
    ],
  },
]
