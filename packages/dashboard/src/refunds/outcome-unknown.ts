import { faultOf } from '../api/fault.ts'

/**
 * Returns whether a refund request that ended with this error may have created a refund, because the service did not
 * reject the request.
 */
export function isOutcomeUnknown(error: unknown): boolean {
  const { code, id, isPassing } = faultOf(error)
  return isPassing || ['', 'INTERNAL_ERROR'].includes(code) || id === 'idempotency_key_in_progress'
}
