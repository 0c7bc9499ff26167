// The human-readable payment code, such as GP261120-7Q4M2ZK8XW: the UTC date and 50 random bits in Crockford's base
// 32. The alphabet has no I, L, O or U, so a code can be read aloud without mistakes. Providers receive the code as
// their order reference.

import { randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'

export function newPaymentCode(at: Date): string {
  const day = at.toISOString().slice(2, 10).replaceAll('-', '')
  // Uses the low five bits of each random byte. These bits are uniformly distributed, because 256 is a
  // multiple of 32.
  let random = ''
  for (const byte of randomBytes(10)) random += alphabet[byte & 31]
  return `GP${day}-${random}`
}

/**
 * A pattern that matches payment codes in upper and lower case, because people type both. An OpenAPI pattern
 * cannot have the flag `i`, so this pattern lists both cases.
 */
export const paymentCodePattern = '[Gg][Pp][0-9]{6}-[0-9A-HJKMNP-TV-Za-hjkmnp-tv-z]{10}'
const typed = new RegExp(`^${paymentCodePattern}$`)
export const isPaymentCode = (text: string): boolean => typed.test(text)

/**
 * Matches a reference: the payment code, followed by the attempt number from the second attempt on, such as
 * `GP261120-7Q4M2ZK8XW-2`.
 */
const reference = /^(GP\d{6})-([0-9A-HJKMNP-TV-Z]{10})(?:-([1-9]\d*))?$/
const alphanumeric = /^(GP\d{6})([0-9A-HJKMNP-TV-Z]{10})(?:T([1-9]\d*))?$/

/** Returns whether a text has the format of an order reference with dashes. */
export const isOrderReference = (text: string): boolean => reference.test(text)

/**
 * Converts a reference for providers that accept only letters and digits. For example,
 * `GP261120-7Q4M2ZK8XW-2` becomes `GP2611207Q4M2ZK8XWT2`, where T2 stands for the second attempt.
 */
export function withoutDashes(text: string): string {
  const [, day, random, attempt] = reference.exec(text) ?? []
  if (day === undefined) return text
  return attempt === undefined ? `${day}${random}` : `${day}${random}T${attempt}`
}

/** Converts a reference with or without dashes to the form with dashes. Returns any other text unchanged. */
export function withDashes(text: string): string {
  const [, day, random, attempt] = alphanumeric.exec(text) ?? []
  if (day === undefined) return text
  return attempt === undefined ? `${day}-${random}` : `${day}-${random}-${attempt}`
}

const refundReference = /^(GP\d{6}-[0-9A-HJKMNP-TV-Z]{10})-R[1-9]\d*$/

/** Returns the payment code in the reference of a refund that this service requested, such as `<payment_code>-R1`. */
export const paymentCodeOfRefund = (text: string): string | undefined => refundReference.exec(text)?.[1]
