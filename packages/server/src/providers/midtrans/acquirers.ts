// The amount limits of the banks and wallets behind Midtrans (docs.midtrans.com, "minimum and maximum transaction
// amount", 30 March 2026). They apply to both the Core API and BI-SNAP. NOTES.md lists contradictions in Midtrans'
// documentation.

import { rupiah } from '../../values/money.ts'
import { type Channel, QRIS_MAX_AMOUNT } from '../provider.ts'

export const DAY_MINUTES = 24 * 60

const MILLION = 1_000_000
const BILLION = 1_000 * MILLION

/** The amount limits of an acquirer. `max` is omitted if Midtrans does not publish a maximum. */
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
 * Describes a channel. The maximum expiry differs between Midtrans' two APIs. Midtrans' minimum of 20 s never matters,
 * because this service's minimum is longer.
 */
export const channel = (
  code: keyof typeof acquirers,
  name: string,
  maxExpiryMinutes: number,
  needs: { mobileNumber?: true } = {},
): Channel => ({
  code,
  name,
  limits: { wholeRupiah: true, ...acquirers[code], minExpiryMinutes: 1, maxExpiryMinutes, ...needs },
})
