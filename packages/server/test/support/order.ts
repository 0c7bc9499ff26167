/** Returns a request for a BCA virtual account payment of Rp 100,000. */
export const anOrder = (extra: object = {}) => ({
  amount: 10_000_000,
  currency: 'IDR',
  method_type: 'virtual_account',
  method_detail: { type: 'virtual_account', bank: 'BCA' },
  customer_name: 'Budi Santoso',
  ...extra,
})
