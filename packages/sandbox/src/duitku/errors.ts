export type Answer = { status: number; body: { Message: string } }

/**
 * Returns an error response: an HTTP status and one message. The published messages are in the "HTTP Code" table in
 * Duitku's documentation.
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
  // Duitku documents no message for a reused reference. This message comes from a third-party library.
  referenceUsed: refusal(400, 'merchantOrderId telah digunakan sebelumnya'),
  // Duitku documents no messages for these errors, so these are made up.
  rateLimited: refusal(429, 'Too many requests'),
  outage: refusal(503, 'Service Unavailable'),
} as const

/**
 * The response to an inquiry about an unknown order. Duitku does not document it, but its sandbox responds with this
 * JSON string, according to an integrator.
 */
export const transactionNotFound = { status: 400, body: 'Transaction not found' }
