export type Answer = { status: number; body: { Message: string } }

/** Every failure is an HTTP status and one text. The published texts are in the table "HTTP Code" of the documents. */
export function refusal(status: number, message: string): Answer {
  return { status, body: { Message: message } }
}

export const refusals = {
  wrongSignature: refusal(401, 'Wrong signature'),
  merchantNotFound: refusal(404, 'Merchant not found'),
  channelNotAvailable: refusal(404, 'Payment channel not available'),
  maximumExceeded: refusal(400, 'Maximum Payment exceeded'),
  itemsDiffer: refusal(409, 'Payment amount must be equal to all item price'),
  // A wrapper of the API lists this text for a reference that was used; the documents have none.
  referenceUsed: refusal(400, 'merchantOrderId telah digunakan sebelumnya'),
  // Made up: the documents publish nothing for these.
  transactionNotFound: refusal(404, 'Transaction not found'),
  rateLimited: refusal(429, 'Too many requests'),
  outage: refusal(503, 'Service Unavailable'),
} as const
