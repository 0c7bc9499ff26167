import { randomInt } from 'node:crypto'

// The formats of the numbers that payers enter at a bank or store. Prefixes and lengths follow the published
// samples.
const forms: Record<string, { prefix: string; length: number; customMaxDigits?: number }> = {
  bca: { prefix: '8127', length: 15, customMaxDigits: 11 },
  bni: { prefix: '98812785', length: 16, customMaxDigits: 8 },
  bri: { prefix: '26215', length: 18, customMaxDigits: 13 },
  cimb: { prefix: '2810', length: 16, customMaxDigits: 16 },
  permata: { prefix: '856200', length: 16, customMaxDigits: 10 },
  mandiri: { prefix: '77', length: 12 },
  alfamart: { prefix: '8127', length: 16 },
  indomaret: { prefix: '5781', length: 12 },
}

/**
 * Returns a payment number not used by any pending order. Midtrans shortens a number chosen by the merchant if the
 * number is too long, and replaces it if it is in use. Merchants must therefore use the number in the response.
 */
export function payerNumber(
  channel: string,
  custom: string | undefined,
  isTaken: (number: string) => boolean,
): string {
  const form = forms[channel]
  if (!form) return ''
  if (custom && form.customMaxDigits) {
    const wanted = form.prefix + custom.slice(0, form.customMaxDigits)
    if (!isTaken(wanted)) return wanted
  }
  const digits = form.length - form.prefix.length
  for (;;) {
    const number = form.prefix + randomDigits(digits)
    if (!isTaken(number)) return number
  }
}

function randomDigits(count: number): string {
  // The parameter `count` must be at most fourteen, because randomInt supports only numbers of up to 48 bits
  // (fourteen digits).
  return String(randomInt(0, 10 ** count)).padStart(count, '0')
}
