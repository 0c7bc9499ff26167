import { randomInt } from 'node:crypto'

const RANDOM_DIGITS = 10

/**
 * The second half of a number nobody else is waiting to be paid on: the merchant's own unless it wants a random one
 * or the number is in use, as docs.midtrans.com virtual-account-api-bank-transfer has it ("a different unique
 * number will be used instead").
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
