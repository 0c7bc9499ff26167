// The channels follow the tables "Payment Method" and "Expiry Period" in docs.duitku.com/api. The number prefixes
// are made up, except BCA's.

export type Channel = {
  code: string
  name: string
  kind: 'number' | 'qris' | 'wallet'
  minRupiah: number
  // The maximum payment amount in rupiah. Absent if Duitku publishes no maximum.
  maxRupiah?: number
  defaultMinutes: number
  maxMinutes: number
  // True if Duitku ignores the requested expiryPeriod, because the channel's expiry time is fixed.
  fixedLife?: true
  // The first digits of the payment number entered by the payer.
  prefix?: string
}

const DAY_MINUTES = 1_440
// The sandbox's own maximum of 30 days. Duitku allows expiry periods of "more than 1440" minutes and states no maximum.
const LONGEST_MINUTES = 43_200
// Duitku rejects smaller amounts with HTTP 400 "Minimum Payment 10000 IDR". According to an integrator, QRIS has no
// such minimum.
const LEAST_RUPIAH = 10_000
// The maximum amount of a QRIS payment, in force since March 2022 (Bank Indonesia).
const QRIS_MAX_RUPIAH = 10_000_000

const number = (code: string, name: string, prefix: string): Channel => ({
  ...{ code, name, prefix, kind: 'number', minRupiah: LEAST_RUPIAH },
  ...{ defaultMinutes: DAY_MINUTES, maxMinutes: LONGEST_MINUTES },
})

const qris = (code: string, name: string, defaultMinutes: number, maxMinutes: number): Channel => ({
  ...{ code, name, kind: 'qris', minRupiah: 1, maxRupiah: QRIS_MAX_RUPIAH, defaultMinutes, maxMinutes },
})

const wallet = (
  code: string,
  name: string,
  defaultMinutes: number,
  maxMinutes: number,
  fixedLife?: true,
): Channel => ({
  ...{ code, name, kind: 'wallet', minRupiah: LEAST_RUPIAH, defaultMinutes, maxMinutes },
  ...(fixedLife && { fixedLife }),
})

export const channels: readonly Channel[] = [
  number('BC', 'BCA VA', '7007014'),
  number('M2', 'MANDIRI VA H2H', '8952100'),
  number('VA', 'MAYBANK VA', '7812345'),
  number('I1', 'BNI VA', '8808123'),
  number('B1', 'CIMB NIAGA VA', '1919123'),
  number('BT', 'PERMATA VA', '8765123'),
  number('A1', 'ATM BERSAMA VA', '1234555'),
  number('AG', 'ARTHA GRAHA VA', '3700123'),
  number('NC', 'BNC VA', '9019123'),
  number('BR', 'BRI VA', '1362123'),
  number('S1', 'SAMPOERNA VA', '4000123'),
  number('DM', 'DANAMON VA', '8922123'),
  number('BV', 'BSI VA', '9347123'),
  number('FT', 'RETAIL', '6012345'),
  number('IR', 'INDOMARET', '6098765'),
  wallet('OV', 'OVO', 10, DAY_MINUTES),
  wallet('SA', 'SHOPEEPAY APP', 10, 60),
  wallet('LF', 'LINKAJA APP FIXED', 24, DAY_MINUTES, true),
  wallet('LA', 'LINKAJA APP PCT', 24, DAY_MINUTES, true),
  wallet('DA', 'DANA', DAY_MINUTES, DAY_MINUTES),
  qris('SP', 'SHOPEEPAY QRIS', 10, 60),
  qris('SQ', 'NUSAPAY QRIS', 10, 60),
  qris('NQ', 'NOBU QRIS', 24, DAY_MINUTES),
]

export function findChannel(code: string): Channel | undefined {
  return channels.find(channel => channel.code === code)
}

/**
 * Returns after how many minutes an unpaid payment expires. The parameter `asked` is the number of minutes in
 * the create request.
 */
export function lifeMinutes({ defaultMinutes, maxMinutes, fixedLife }: Channel, asked?: number): number {
  if (asked === undefined || fixedLife) return defaultMinutes
  return Math.min(asked, maxMinutes)
}
