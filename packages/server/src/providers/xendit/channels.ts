// Xendit's channels, from each channel's page at docs.xendit.co. NOTES.md lists sources and contradictions.

import { rupiah } from '../../values/money.ts'
import { type Channel, type ProviderMethod, QRIS_MAX_AMOUNT } from '../provider.ts'
import type { RefundTerms } from '../refund-terms.ts'

const HOUR = 60
const DAY = 24 * HOUR

/**
 * The longest expiry this service offers. This limit is our own, because Xendit publishes no maximum for channels
 * with a configurable expiry.
 */
const SETTABLE = 30 * DAY

const MILLION = 1_000_000
const BILLION = 1_000 * MILLION

const channel = (
  code: string,
  name: string,
  minRupiah: number,
  maxRupiah: number,
  maxExpiryMinutes: number,
  { refund, ...needs }: { mobileNumber?: true; refund?: RefundTerms } = {},
): Channel => ({
  code,
  name,
  limits: {
    wholeRupiah: true,
    minAmount: rupiah(minRupiah),
    maxAmount: rupiah(maxRupiah),
    minExpiryMinutes: 1,
    maxExpiryMinutes,
    ...needs,
  },
  ...(refund && { refund }),
})

/**
 * Returns refund terms that allow any number of partial refunds within `windowDays` days (each channel's page
 * at docs.xendit.co, April 2026).
 */
const parts = (windowDays: number): { refund: RefundTerms } => ({
  refund: { amounts: 'partial', windowDays },
})

// Xendit's QRIS page allows refunds for 7 days, but an older page allows them for 30 days. The stricter limit
// applies.
const qris = channel('qris', 'QRIS', 1, 10 * MILLION, 48 * HOUR, parts(7))

export const methods: ProviderMethod[] = [
  {
    type: 'virtual_account',
    channels: [
      channel('bca', 'BCA', 10_000, 50 * MILLION, SETTABLE),
      channel('bni', 'BNI', 1, 50 * BILLION, SETTABLE),
      channel('bri', 'BRI', 1, 50 * BILLION, SETTABLE),
      channel('mandiri', 'Mandiri', 1, 50 * BILLION, SETTABLE),
      channel('permata', 'Permata', 1, 10 * BILLION - 1, SETTABLE),
      channel('bsi', 'BSI', 1, 50 * BILLION, SETTABLE),
      channel('bss', 'Bank Sahabat Sampoerna', 1, 50 * BILLION, SETTABLE),
      channel('cimb', 'CIMB Niaga', 10_000, 50 * MILLION, SETTABLE),
      channel('bjb', 'Bank BJB', 1, 2 * BILLION, SETTABLE),
      channel('muamalat', 'Muamalat', 10_000, 50 * BILLION, SETTABLE),
      channel('bnc', 'Bank Neo Commerce', 10_000, 50 * BILLION, SETTABLE),
    ],
  },
  { type: 'qris', channels: [{ ...qris, limits: { ...qris.limits, maxAmount: QRIS_MAX_AMOUNT } }] },
  {
    // JeniusPay is not offered, because it requires the payer's cashtag, for which our API has no field.
    type: 'e_wallet',
    channels: [
      channel('gopay', 'GoPay', 1, 50 * MILLION, 30, parts(45)),
      channel('dana', 'DANA', 100, 20 * MILLION, 24 * HOUR, parts(30)),
      // Xendit expires an OVO payment after 55 s, but this service expires it only after two minutes. OVO payments
      // cannot be refunded, because a refund requires a linked OVO account, and this service does not link accounts.
      channel('ovo', 'OVO', 100, 20 * MILLION, 2, { mobileNumber: true }),
      channel('linkaja', 'LinkAja', 100, 10 * MILLION, 30, {
        refund: { amounts: 'full', windowDays: 30 },
      }),
      channel('shopeepay', 'ShopeePay', 1, 20 * MILLION, 30, parts(365)),
      channel('astrapay', 'AstraPay', 100, 20 * MILLION, 15),
    ],
  },
  {
    type: 'over_the_counter',
    channels: [
      channel('alfamart', 'Alfamart', 10_000, 5 * MILLION, 48 * HOUR),
      channel('indomaret', 'Indomaret', 10_000, 5 * MILLION, SETTABLE),
    ],
  },
  {
    type: 'cardless_credit',
    channels: [
      channel('akulaku', 'Akulaku', 1_000, 25 * MILLION, DAY, {
        refund: { amounts: 'partial', maxRefunds: 1 },
      }),
      // Xendit's current page allows only full refunds, but an older page also allows partial refunds. The
      // stricter rule applies.
      channel('kredivo', 'Kredivo', 1_000, 30 * MILLION, DAY, {
        refund: { amounts: 'full', windowDays: 14 },
      }),
      channel('indodana', 'Indodana', 10_000, 25 * MILLION, DAY, {
        refund: { amounts: 'partial', maxRefunds: 1, windowDays: 30 },
      }),
    ],
  },
]
