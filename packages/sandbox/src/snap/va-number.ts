import { randomInt } from 'node:crypto'

const RANDOM_DIGITS = 10

/**
 * Returns the customer number, the part of a virtual account number after `partnerServiceId`. This is the
 * number that the merchant chose. However, if a pending order already uses it, "a different unique number
 * will be used instead" (docs.midtrans.com virtual-account-api-bank-transfer).
 */
export function freeCustomerNo(
  partnerServiceId: string,
  wanted: string | undefined,
  isTaken: (number: string) => boolean,
): string {
  const prefix = partnerServiceId.trim()
  if (wanted && !isTaken(prefix + wanted)) return wanted
  for (;;) {
    const customerNo = String(randomInt(0, 10 ** RANDOM_DIGITS)).padStart(RANDOM_DIGITS, '0')
    if (!isTaken(prefix + customerNo)) return customerNo
  }
}
