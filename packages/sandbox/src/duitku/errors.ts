export type Answer = { status: number; body: { Message: string } }

/**
 * Every error is an HTTP status and one message. The table "HTTP Code" of the documentation has the published
 * messages.
 */
export function refusal(status: number, message: string): Answer {
  return { status, body: { Message: message } }
}

export const refusals = {
  wrongSignature: refusal(401, 'Wrong signature'),
  merchantNotFound: refusal(404, 'Merchant not found'),
  channelNotAvailable: refusal(404, 'Payment channel not available'),
  maximumExceeded: refusal(400, 'Maximum Payment exceeded'),
  itemsDiffer: refusal(409, 'Payment amount must be equal to all item price'),
  // From a wrapper of the API; the documentation has no message for a used reference.
  referenceUsed: refusal(400, 'merchantOrderId telah digunakan sebelumnya'),
  // Made up: the documentation has no messages for these.
  transactionNotFound: refusal(404, 'Transaction not found'),
  rateLimited: refusal(429, 'Too many requests'),
  outage: refusal(503, 'Service Unavailable'),
} as const
