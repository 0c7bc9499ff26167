import { v4 as uuid } from 'uuid'

export type Answer = { httpStatus: number; code: string; body: Record<string, unknown> }

const wordings = {
  '202': 'Refund is denied by the bank.',
  '400': 'One or more parameters in the payload is invalid.',
  '401': 'Transaction cannot be authorized with the current client/server key.',
  '402': 'Payment channel is not activated.',
  '404': "Transaction doesn't exist.",
  '405': 'HTTP method is not allowed.',
  '406':
    'The request could not be completed due to a conflict with the current state of the target resource, please try again',
  '412': 'Merchant cannot modify the status of the transaction',
  '413': 'The request cannot be processed due to syntax error in the request body.',
  '414': 'The refund cannot be processed due to an invalid amount.',
  '429': 'The API rate limit is exceeded. Please try again later.',
  '500': 'Sorry, we encountered internal server error. We will fix this soon.',
  '503': 'Sorry, the service is temporarily unavailable. Please try again later.',
} as const

export type ErrorCode = keyof typeof wordings

// Midtrans returns its own status code in the body. For most errors, the HTTP status is 200. For the errors below, it
// equals the code in the body.
const httpStatuses: Partial<Record<ErrorCode, number>> = {
  '401': 401,
  '404': 404,
  '405': 405,
  '429': 429,
  '500': 500,
  '503': 503,
}

export function refusal(code: ErrorCode, extra: Record<string, unknown> = {}): Answer {
  const body = { status_code: code, status_message: wordings[code], ...extra, id: uuid() }
  return { httpStatus: httpStatuses[code] ?? 200, code, body }
}
