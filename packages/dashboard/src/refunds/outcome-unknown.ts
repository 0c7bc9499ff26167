import { faultOf } from '../api/fault.ts'

/**
 * Returns whether a refund request may have created a refund although it ended with this error. This is possible if the
 * error does not show that the service rejected the request.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  const { code, id, isPassing } = faultOf(error)
  return isPassing || ['', 'INTERNAL_ERROR'].includes(code) || id === 'idempotency_key_in_progress'
}
