export type Answer = { status: number; body: { Message: string } }

/**
 * Returns an error response. Every error of Duitku is an HTTP status and one message; the table "HTTP Code" of its
 * documentation contains the published messages.
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
  // The message for a reference that was already used comes from a third-party wrapper of the API, because Duitku
  // documents no message for this error.
  referenceUsed: refusal(400, 'merchantOrderId telah digunakan sebelumnya'),
  // The following messages are made up, because Duitku's documentation contains no message for these errors.
  transactionNotFound: refusal(404, 'Transaction not found'),
  rateLimited: refusal(429, 'Too many requests'),
  outage: refusal(503, 'Service Unavailable'),
} as const
