// The rules for the customer and the items in a charge request. Midtrans does not need these details, but rejects the
// charge if one of the values is invalid. Such values are therefore changed or omitted.

import { mobileNumberOf } from '../../values/mobile-number.ts'
import type { Charge } from '../provider.ts'
import type { ChargeRequest } from './messages.ts'

/** The maximum length of a customer's name for BCA (docs.midtrans.com customer-details-object). */
const MAX_BCA_NAME_LENGTH = 30

/** Returns the customer's known data, or undefined if nothing is known. */
export function customerDetails(order: Charge): ChargeRequest['customer_details'] {
  const { name, email } = order.customer
  const first_name =
    order.channel === 'bca' ? name.slice(0, MAX_BCA_NAME_LENGTH).toWellFormed() : allowedText(order, name)
  const phone = phoneOf(order)
  if (!first_name && !email && !phone) return undefined
  return { ...(first_name && { first_name }), ...(email && { email }), ...(phone && { phone }) }
}

/**
 * Returns the phone number, or an empty string if its format is invalid. For a BNI virtual account, Midtrans rejects a
 * number that does not start with `+62` or `0`, according to its BI-SNAP documentation (docs.midtrans.com
 * virtual-account-api-bank-transfer). Other channels accept any text.
 */
function phoneOf({ channel, customer: { phone } }: Charge): string {
  if (channel !== 'bni') return phone
  const number = mobileNumberOf(phone) ?? phone.replace(/[\s().-]/g, '')
  return /^(\+62|0)\d{7,13}$/.test(number) ? number : ''
}

/**
 * For Alfamart, replaces the character `|` in a text with a space, because Midtrans does not allow it there
 * (docs.midtrans.com item-details-object).
 */
export const allowedText = ({ channel }: Charge, text: string): string =>
  channel === 'alfamart' ? text.replaceAll('|', ' ').trim() : text

/** The maximum size of a request to Midtrans: 16,000 bytes (Midtrans/mt-alt-doc advanced-features). */
const MAX_REQUEST_BYTES = 16_000

/** Returns the request. If the request is too large for Midtrans, its items are left out. */
export function withinSizeLimit(request: ChargeRequest): ChargeRequest {
  if (Buffer.byteLength(JSON.stringify(request)) <= MAX_REQUEST_BYTES) return request
  const { item_details: _, ...rest } = request
  return rest
}
