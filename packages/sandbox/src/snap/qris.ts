import { hash } from 'node:crypto'
import type { Order } from '../order.ts'
import { type Acquirer, qrisString } from '../qris.ts'

/** Returns the contents of the QR code. An unknown `acquirer` in the request is treated as gopay. */
export function qrContent(order: Order, acquirer: string): string {
  const digits = merchantDigits(order.merchant)
  return qrisString(order, acquirerOf(acquirer), { id: digits, digits })
}

/** Returns a nine-digit number derived from the merchant's ID, for use in a QR code. */
function merchantDigits(merchant: string): string {
  const digits = BigInt(`0x${hash('sha256', merchant).slice(0, 15)}`) % 1_000_000_000n
  return digits.toString().padStart(9, '0')
}

const acquirerOf = (name: string): Acquirer => (name === 'doku' || name === 'airpay shopee' ? name : 'gopay')
