import { randomInt } from 'node:crypto'

const RANDOM_DIGITS = 10

/**
 * Returns the second part of a virtual account number. If a pending order already uses the number chosen by the
 * merchant, "a different unique number will be used instead" (docs.midtrans.com
 * virtual-account-api-bank-transfer).
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
