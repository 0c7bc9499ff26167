/** A request to create a QRIS payment of Rp 25,000. */
export const order = {
  amount: 2_500_000,
  currency: 'IDR',
  method_type: 'qris',
  method_detail: { type: 'qris' },
} as const
