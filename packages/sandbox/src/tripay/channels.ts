// Tripay's channels with their limits, expiry times and standard fees, from the table on tripay.co.id/developer (tab
// "channels").

export type Group = 'Virtual Account' | 'Convenience Store' | 'E-Wallet'

export type Channel = {
  code: string
  name: string
  group: Group
  // A redirect channel sends the payer to a page. A direct channel shows a number or a QR code.
  type: 'direct' | 'redirect'
  minRupiah: number
  maxRupiah: number
  minMinutes: number
  maxMinutes: number
  // The fee for one payment: a fixed amount in rupiah (`flat`), plus a percentage of the payment's amount, in
  // hundredths of a percent (`basisPoints`).
  fee: { flat: number; basisPoints: number }
  // Determines who pays the fee. In the sandbox, this is fixed for each channel. At Tripay, it is a merchant
  // setting.
  feeOf: 'merchant' | 'customer'
  number?: { prefix: string; digits: number }
}

const MONTH_MINUTES = 43_200
const DAY_MINUTES = 1_440

export const channels: readonly Channel[] = [
  account('PERMATAVA', 'Permata', '8625', 60, MONTH_MINUTES),
  account('BNIVA', 'BNI', '9881', 15, DAY_MINUTES),
  account('BRIVA', 'BRI', '5757', 60, MONTH_MINUTES),
  account('MANDIRIVA', 'Mandiri', '8889', 60, MONTH_MINUTES),
  account('BCAVA', 'BCA', '1903', 15, MONTH_MINUTES, 5_500),
  account('MUAMALATVA', 'Muamalat', '8247', 60, 180),
  account('CIMBVA', 'CIMB Niaga', '2248', 15, MONTH_MINUTES),
  account('BSIVA', 'BSI', '9042', 60, 180),
  account('OCBCVA', 'OCBC NISP', '9301', 15, MONTH_MINUTES),
  account('DANAMONVA', 'Danamon', '7915', 15, MONTH_MINUTES),
  account('OTHERBANKVA', 'Other Bank', '1029', 15, DAY_MINUTES),
  store('ALFAMART', 'Alfamart', 10_000, 60, DAY_MINUTES),
  store('INDOMARET', 'Indomaret', 10_000, 15, MONTH_MINUTES),
  store('ALFAMIDI', 'Alfamidi', 5_000, 60, DAY_MINUTES),
  qris('QRIS', 'QRIS by ShopeePay', 60),
  qris('QRISC', 'QRIS (Customizable)', DAY_MINUTES),
  qris('QRIS2', 'QRIS', DAY_MINUTES),
  wallet('OVO', 'OVO', MONTH_MINUTES),
  wallet('DANA', 'DANA', 60),
  wallet('SHOPEEPAY', 'ShopeePay', 60),
]

function account(
  code: string,
  bank: string,
  prefix: string,
  minMinutes: number,
  maxMinutes: number,
  flat = 4_250,
): Channel {
  return {
    code,
    name: `${bank} Virtual Account`,
    group: 'Virtual Account',
    type: 'direct',
    minRupiah: 10_000,
    maxRupiah: 10_000_000,
    minMinutes,
    maxMinutes,
    fee: { flat, basisPoints: 0 },
    feeOf: 'merchant',
    number: { prefix, digits: 16 },
  }
}

/**
 * Returns a Tripay channel for a convenience store. The customer pays the fee of such a channel, so
 * total_amount is higher than the requested amount.
 */
function store(
  code: string,
  name: string,
  minRupiah: number,
  minMinutes: number,
  maxMinutes: number,
): Channel {
  return {
    code,
    name,
    group: 'Convenience Store',
    type: 'direct',
    minRupiah,
    maxRupiah: 2_500_000,
    minMinutes,
    maxMinutes,
    fee: { flat: 3_500, basisPoints: 0 },
    feeOf: 'customer',
    number: { prefix: '7263', digits: 15 },
  }
}

function qris(code: string, name: string, maxMinutes: number): Channel {
  return {
    code,
    name,
    group: 'E-Wallet',
    type: 'direct',
    minRupiah: 1_000,
    maxRupiah: 5_000_000,
    minMinutes: 10,
    maxMinutes,
    fee: { flat: 750, basisPoints: 70 },
    feeOf: 'merchant',
  }
}

function wallet(code: string, name: string, maxMinutes: number): Channel {
  return {
    code,
    name,
    group: 'E-Wallet',
    type: 'redirect',
    minRupiah: 1_000,
    maxRupiah: 10_000_000,
    minMinutes: 15,
    maxMinutes,
    fee: { flat: 0, basisPoints: 300 },
    feeOf: 'merchant',
  }
}

export function findChannel(code: unknown): Channel | undefined {
  return channels.find(channel => channel.code === code)
}

// Tripay's documentation: "If the calculated fee of OVO, SHOPEEPAY and DANA is less than Rp 1,000 it is rounded to Rp
// 1,000".
const LEAST_WALLET_FEE = 1_000

/** Returns a payment's fee in whole rupiah. */
export function feeOf({ fee, type }: Channel, rupiah: number): number {
  const calculated = fee.flat + Math.ceil((rupiah * fee.basisPoints) / 10_000)
  return type === 'redirect' ? Math.max(calculated, LEAST_WALLET_FEE) : calculated
}
