import { qrisString } from '../qris.ts'
import { merchantIdOf } from './merchant.ts'
import type { MidtransOrder } from './order.ts'

export function qrString(order: MidtransOrder): string {
  const id = merchantIdOf(order.merchant)
  const acquirer = order.detail.acquirer === 'airpay shopee' ? 'airpay shopee' : 'gopay'
  return qrisString(order, acquirer, { id, digits: id.slice(1) })
}
