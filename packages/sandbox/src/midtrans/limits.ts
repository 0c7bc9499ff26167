import type { MidtransDetail } from './order.ts'

// Midtrans' amount limits in rupiah, as of 30 March 2026. A maximum of null means "no limitation" in the source table:
// docs.midtrans.com/docs/berapa-jumlah-transaksi-minimal-dan-maksimal-yang-dapat-diterima-oleh-midtrans.

type Limits = readonly [min: number, max: number | null]

const limits: Record<string, Limits> = {
  'bank_transfer bca': [10_000, 20_000_000_000],
  'bank_transfer bni': [1, null],
  'bank_transfer bri': [1, 20_000_000_000],
  'bank_transfer cimb': [1, 250_000_000],
  'bank_transfer permata': [1, 9_999_999_999],
  'echannel mandiri': [1, 50_000_000_000],
  qris: [1, 10_000_000],
  gopay: [1, 20_000_000],
  shopeepay: [1, 20_000_000],
  ovo: [1, 99_999_999],
  'cstore alfamart': [1, 5_000_000],
  'cstore indomaret': [10_000, 5_000_000],
  akulaku: [5_000, null],
  kredivo: [1, null],
  credit_card: [10_000, 999_999_999],
}

/** Returns the validation message if the amount is outside the channel's limits, or undefined if it is valid. */
export function beyondLimit(
  { paymentType, bank, store }: Pick<MidtransDetail, 'paymentType' | 'bank' | 'store'>,
  rupiah: number,
): string | undefined {
  const channel = paymentType === 'bank_transfer' || paymentType === 'echannel' ? bank : store
  const [min, max] = limits[channel ? `${paymentType} ${channel}` : paymentType] ?? [1, null]
  if (rupiah < min) return `must be at least ${min}`
  return max !== null && rupiah > max ? `must be at most ${max}` : undefined
}
