const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
const HOUR_MS = 60 * MINUTE_MS
const BILLION = 1_000_000_000
const MILLION = 1_000_000

export type Kind = 'VIRTUAL_ACCOUNT' | 'QR_CODE' | 'EWALLET' | 'OVER_THE_COUNTER' | 'PAYLATER'

export type Channel = {
  // The channel's code in Xendit's API v3. Xendit's older products use other codes.
  code: string
  kind: Kind
  minRupiah: number
  maxRupiah: number
  // The number of milliseconds for which an order stays open. If the number is null, the order expires at the
  // time in the request's `expires_at`.
  lifeMs: number | null
  // The first digits and the length of the number the payer enters.
  number?: { prefix: string; digits: number }
}

// A virtual account without `expires_at` stays open for 31 years. Sources: a recorded `expiration_date` of a fixed
// virtual account, and a comment in the payment request SDK. v3 documents no default.
export const LONGEST_LIFE_MS = 31 * 365 * 24 * HOUR_MS

// Limits and expiry times follow the tables at docs.xendit.co/docs/<channel>. CIMB's page no longer exists, so
// CIMB's limits are the narrowest of the other banks' limits. JeniusPay expires after a day, like DANA, because its
// expiry time is not documented.
export const channels: readonly Channel[] = [
  account('BCA', '10766', 10_000, 50 * MILLION),
  account('BNI', '8808', 1, 50 * BILLION),
  account('BRI', '26215', 1, 50 * BILLION),
  account('MANDIRI', '88908', 1, 50 * BILLION),
  account('PERMATA', '8214', 1, 9_999_999_999),
  account('BSI', '9347', 1, 50 * BILLION),
  account('BSS', '40102', 1, 50 * BILLION),
  account('BJB', '1234', 1, 2 * BILLION),
  account('CIMB', '93490', 10_000, 50 * MILLION),
  account('MUAMALAT', '8256', 10_000, 50 * BILLION),
  account('BNC', '9010', 10_000, 50 * BILLION),
  { code: 'QRIS', kind: 'QR_CODE', minRupiah: 1, maxRupiah: 10 * MILLION, lifeMs: 48 * HOUR_MS },
  // Xendit's page has no table for GOPAY, so these limits are those of GOPAY_RECURRING.
  wallet('GOPAY', 1, 50 * MILLION, 30 * MINUTE_MS),
  wallet('DANA', 100, 20 * MILLION, 24 * HOUR_MS),
  // The push notification stays in the payer's OVO app for 0.015 hours (54 seconds).
  wallet('OVO', 100, 20 * MILLION, 54 * SECOND_MS),
  wallet('LINKAJA', 100, 10 * MILLION, 30 * MINUTE_MS),
  wallet('SHOPEEPAY', 1, 20 * MILLION, 30 * MINUTE_MS),
  wallet('ASTRAPAY', 100, 20 * MILLION, HOUR_MS / 4),
  wallet('JENIUSPAY', 1_000, 20 * MILLION, 24 * HOUR_MS),
  store('ALFAMART', '7263'),
  store('INDOMARET', '8456'),
  { code: 'AKULAKU', kind: 'PAYLATER', minRupiah: 1_000, maxRupiah: 25 * MILLION, lifeMs: 24 * HOUR_MS },
  { code: 'KREDIVO', kind: 'PAYLATER', minRupiah: 1_000, maxRupiah: 30 * MILLION, lifeMs: 24 * HOUR_MS },
  { code: 'INDODANA', kind: 'PAYLATER', minRupiah: 1_000, maxRupiah: 25 * MILLION, lifeMs: 24 * HOUR_MS },
]

function account(bank: string, prefix: string, minRupiah: number, maxRupiah: number): Channel {
  const code = `${bank}_VIRTUAL_ACCOUNT`
  return { code, kind: 'VIRTUAL_ACCOUNT', minRupiah, maxRupiah, lifeMs: null, number: { prefix, digits: 16 } }
}

function wallet(code: string, minRupiah: number, maxRupiah: number, lifeMs: number): Channel {
  return { code, kind: 'EWALLET', minRupiah, maxRupiah, lifeMs }
}

function store(code: string, prefix: string): Channel {
  const number = { prefix, digits: 12 }
  return { code, kind: 'OVER_THE_COUNTER', minRupiah: 10_000, maxRupiah: 5 * MILLION, lifeMs: null, number }
}

export function findChannel(code: unknown): Channel | undefined {
  return channels.find(channel => channel.code === code)
}

// In v3, Bank Sahabat Sampoerna has the code `BSS`. In the older products, its code is the bank's full name.
const olderNames: Record<string, string> = { BSS: 'SAHABAT_SAMPOERNA' }

/**
 * Returns the bank code used by fixed virtual accounts and Xendit's API v2, such as `BNI` for
 * `BNI_VIRTUAL_ACCOUNT`.
 */
export function bankOf(channel: Channel): string {
  const bank = channel.code.replace('_VIRTUAL_ACCOUNT', '')
  return olderNames[bank] ?? bank
}

export function channelOfBank(bank: unknown): Channel | undefined {
  return channels.find(channel => channel.kind === 'VIRTUAL_ACCOUNT' && bankOf(channel) === bank)
}
