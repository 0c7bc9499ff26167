// The amount limits of the banks and wallets behind Midtrans, for both the Core API and BI-SNAP. The source is
// docs.midtrans.com, "minimum and maximum transaction amount", 30 March 2026. NOTES.md lists contradictions in
// Midtrans' documentation.

import { rupiah } from '../../values/money.ts'
import { type Channel, QRIS_MAX_AMOUNT } from '../provider.ts'
import type { RefundTerms } from '../refund-terms.ts'

export const DAY_MINUTES = 24 * 60

const MILLION = 1_000_000
const BILLION = 1_000 * MILLION

/** An acquirer's amount limits. `max` is omitted if Midtrans does not publish a maximum. */
const amounts = (min: number, max?: number) => ({
  minAmount: rupiah(min),
  ...(max !== undefined && { maxAmount: rupiah(max) }),
})

const acquirers = {
  bca: amounts(10_000, 20 * BILLION),
  bni: amounts(1),
  bri: amounts(1, 20 * BILLION),
  cimb: amounts(1, 250 * MILLION),
  danamon: amounts(1),
  mandiri: amounts(1, 50 * BILLION),
  permata: amounts(1, 10 * BILLION - 1),
  qris: { ...amounts(1), maxAmount: QRIS_MAX_AMOUNT },
  dana: amounts(1, 20 * MILLION),
  gopay: amounts(1, 20 * MILLION),
  ovo: amounts(1, 100 * MILLION - 1),
  shopeepay: amounts(1, 20 * MILLION),
  alfamart: amounts(1, 5 * MILLION),
  indomaret: amounts(10_000, 5 * MILLION),
  akulaku: amounts(5_000),
  kredivo: amounts(1),
}

/**
 * Midtrans documents a refund period of "6 months". We use 181 days, because that is the length of the
 * shortest six-month period.
 */
const SIX_MONTHS_DAYS = 181

/**
 * Each channel's refund terms (docs.midtrans.com metode-pembayaran-apa-yang-memiliki-fitur-refund and
 * refund-transaction, April 2026). Where these pages contradict each other, the stricter term applies. Virtual
 * account and store payments cannot be refunded.
 */
export const refundTerms = {
  // QRIS payments (acquirer GoPay) can be refunded for 45 days if the payer used the GoPay app, and otherwise for 7
  // days (refund-transaction). At the time of the charge, it is not known which app the payer will use, so the shorter
  // period applies.
  qris: { amounts: 'partial', windowDays: 7 },
  dana: { amounts: 'partial', windowDays: 45 },
  // GoPay payments can be refunded for 180 days only if the payer's account is linked. This service does not
  // link accounts, so the shorter period of 45 days applies.
  gopay: { amounts: 'partial', windowDays: 45 },
  // OVO payments can be refunded for 180 days by travel agencies, and for only 7 days by all other merchants.
  ovo: { amounts: 'full', windowDays: 7 },
  // For ShopeePay, the table of payment methods allows partial refunds, but the page refund-transaction does
  // not. The pages also name different times of day after which refunds are rejected: 23:30 (refund-api-1),
  // 23:50 (the table) or 23:55 (direct-refund-transaction). This adapter uses the strictest values.
  shopeepay: { amounts: 'full', windowDays: 365, hours: { from: '06:00', to: '23:30' } },
  akulaku: { amounts: 'partial', windowDays: SIX_MONTHS_DAYS },
  kredivo: { amounts: 'partial', windowDays: 14 },
} satisfies Partial<Record<keyof typeof acquirers, RefundTerms>>

/**
 * Returns a channel's description. The maximum expiry is a parameter, because it differs between Midtrans'
 * two APIs. Midtrans' minimum expiry of 20 s needs no check, because this service's minimum is longer.
 */
export const channel = (
  code: keyof typeof acquirers,
  name: string,
  maxExpiryMinutes: number,
  { refund, ...needs }: { mobileNumber?: true; refund?: RefundTerms } = {},
): Channel => ({
  code,
  name,
  limits: { wholeRupiah: true, ...acquirers[code], minExpiryMinutes: 1, maxExpiryMinutes, ...needs },
  ...(refund && { refund }),
})
