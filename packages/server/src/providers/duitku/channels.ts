// Duitku's channels, with their two-letter codes (docs.duitku.com/api, "Payment Method", "Expiry Period").

import type { MethodType } from '../../payments/method.ts'
import { rupiah } from '../../values/money.ts'
import type { Channel, ProviderMethod } from '../provider.ts'

type Limits = Omit<Channel['limits'], 'wholeRupiah' | 'minExpiryMinutes'>
type Listed = { channel: Channel; paymentMethod: string }

const DAY = 24 * 60

/**
 * The minimum expiry of a payment. Duitku documents no minimum, but the shortest expiryPeriod in its samples is 10
 * minutes.
 */
const MIN_EXPIRY_MINUTES = 10

const listed = (paymentMethod: string, code: string, name: string, limits: Limits): Listed => ({
  paymentMethod,
  channel: { code, name, limits: { wholeRupiah: true, minExpiryMinutes: MIN_EXPIRY_MINUTES, ...limits } },
})

/**
 * The minimum amount, from Duitku's error "Minimum Payment 10000 IDR" (HTTP 400). Duitku publishes no maximum amount.
 */
const minAmount = rupiah(10_000)

/**
 * The limits for virtual accounts and payment codes. As the maximum expiry, Duitku documents only "more than 1440
 * minutes", so this adapter sets its own maximum.
 */
const number: Limits = { minAmount, maxExpiryMinutes: 30 * DAY }
const wallet = (maxExpiryMinutes: number): Limits => ({ minAmount, maxExpiryMinutes })

/**
 * The limits for QRIS, which has no minimum amount at Duitku. The maximum is the legal maximum (Bank Indonesia,
 * March 2022).
 */
const qris: Limits = { minAmount: rupiah(1), maxAmount: rupiah(10_000_000), maxExpiryMinutes: 60 }

const table: Record<MethodType, Listed[]> = {
  virtual_account: [
    listed('BC', 'bca', 'BCA', number),
    listed('M2', 'mandiri', 'Mandiri', number),
    listed('VA', 'maybank', 'Maybank', number),
    listed('I1', 'bni', 'BNI', number),
    listed('B1', 'cimb', 'CIMB Niaga', number),
    listed('BT', 'permata', 'Permata', number),
    listed('A1', 'atm_bersama', 'ATM Bersama', number),
    listed('AG', 'artha_graha', 'Bank Artha Graha', number),
    listed('NC', 'bnc', 'Bank Neo Commerce', number),
    listed('BR', 'bri', 'BRI', number),
    listed('S1', 'bss', 'Bank Sahabat Sampoerna', number),
    listed('DM', 'danamon', 'Danamon', number),
    listed('BV', 'bsi', 'BSI', number),
  ],
  qris: [listed('SP', 'qris', 'QRIS', qris)],
  e_wallet: [
    listed('OV', 'ovo', 'OVO', wallet(DAY)),
    listed('SA', 'shopeepay', 'ShopeePay', wallet(60)),
    listed('DA', 'dana', 'DANA', wallet(DAY)),
    // LinkAja payments expire after 24 minutes; Duitku ignores the requested expiry.
    listed('LA', 'linkaja', 'LinkAja', wallet(24)),
  ],
  over_the_counter: [
    listed('FT', 'alfamart', 'Alfamart', number),
    listed('IR', 'indomaret', 'Indomaret', number),
  ],
}

export const methods: ProviderMethod[] = (Object.keys(table) as MethodType[]).map(type => ({
  type,
  channels: table[type].map(({ channel }) => channel),
}))

/**
 * Returns a charge's channel. Throws if the channel is not in the table above, which cannot happen because the
 * service charges only these channels.
 */
export function listedChannel(type: MethodType, code: string): Listed {
  const found = table[type].find(({ channel }) => channel.code === code)
  if (!found) throw new Error(`Duitku has no ${type} ${code}`)
  return found
}
