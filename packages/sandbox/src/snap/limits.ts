// The amount limits of Midtrans' acquirers in rupiah, from the table of
// docs.midtrans.com/docs/berapa-jumlah-transaksi-minimal-dan-maksimal-yang-dapat-diterima-oleh-midtrans (30 March
// 2026). A maximum of null means "no limitation" in the table.

export type Limits = readonly [min: number, max: number | null]

// Bank Indonesia's limits for a QRIS payment in rupiah since 1 March 2022 (bicara131.bi.go.id KA-01080).
export const QRIS_LIMITS: Limits = [1, 10_000_000]

export const bankLimits: Record<string, Limits> = {
  bca: [10_000, 20_000_000_000],
  bni: [1, null],
  bri: [1, 20_000_000_000],
  mandiri: [1, 50_000_000_000],
  permata: [1, 9_999_999_999],
  cimb: [1, 250_000_000],
  danamon: [1, null],
  bsi: [1_000, null],
  seabank: [10_000, 100_000_000],
}

/** The minimum and maximum amount of a wallet payment. They are the same for every wallet. */
export const WALLET_LIMITS: Limits = [1, 20_000_000]
