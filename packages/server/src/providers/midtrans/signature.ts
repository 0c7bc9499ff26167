// signature_key = lower hex SHA-512(order_id + status_code + gross_amount + server_key), each value as it
// stands in the body (docs.midtrans.com/reference/handle-notifications). It covers these three fields
// only: transaction_status and fraud_status are not protected, so translate.ts believes them only where
// status_code agrees.

import { createHash } from 'node:crypto'
import { isEqualSecret } from '../../equal.ts'

export function signatureOf(
  message: { order_id: string; status_code: string; gross_amount: string },
  serverKey: string,
): string {
  return createHash('sha512')
    .update(message.order_id + message.status_code + message.gross_amount + serverKey)
    .digest('hex')
}

export function signatureHolds(
  message: { order_id: string; status_code: string; gross_amount: string; signature_key: string },
  serverKey: string,
): boolean {
  return isEqualSecret(message.signature_key, signatureOf(message, serverKey))
}
