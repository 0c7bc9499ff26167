import { randomInt } from 'node:crypto'

const RANDOM_DIGITS = 10

/**
 * Returns the second part of a number that no pending order has. It is the merchant's own one unless that is missing
 * or in use (docs.midtrans.com virtual-account-api-bank-transfer: "a different unique number will be used instead").
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
