// Limits how many requests may wait for an earlier request with the same idempotency key, because each
// waiting request polls the database.

import { fairSlots } from '../../fairness/fair-slots.ts'
import type { GatewayError } from '../../faults/errors.ts'
import { fault } from '../../faults/fault.ts'
import type { Payment } from '../payment.ts'

/**
 * The maximum number of waiting requests per idempotency key. A client that retries every second stays below
 * it: because the provider timeout is 10 s, the client sends only about ten requests.
 */
const MAX_PER_KEY = 32
const MAX_PER_TENANT = 128
const MAX_IN_TOTAL = 256

const retryLater = { retryAfterSeconds: 2 }

export type WaitingRepeats = {
  /**
   * Counts a request that starts to wait, and returns the function to call when the wait ends. Throws RATE_LIMITED if
   * too many requests with this key or of this tenant are waiting. Throws SERVICE_UNAVAILABLE if too many requests of
   * all tenants together are waiting.
   */
  enter(payment: Pick<Payment, 'tenantId' | 'mode' | 'idempotencyKey'>): () => void
}

export function waitingRepeats({
  ofKey = MAX_PER_KEY,
  ofTenant = MAX_PER_TENANT,
  ofAll = MAX_IN_TOTAL,
} = {}): WaitingRepeats {
  const keys = fairSlots(Number.MAX_SAFE_INTEGER)
  const tenants = fairSlots(ofAll)
  return {
    enter({ tenantId, mode, idempotencyKey }) {
      const key = `${tenantId} ${mode} ${idempotencyKey}`
      if (keys.take(key, ofKey)) throw fault('key_repeats_at_capacity', { most: ofKey }, retryLater)
      const exceeded = tenants.take(tenantId, ofTenant)
      if (exceeded) {
        keys.release(key)
        if (exceeded === 'own') throw fault('own_repeats_at_capacity', { most: ofTenant }, retryLater)
        throw fault('repeats_at_capacity', {}, retryLater)
      }
      return () => {
        keys.release(key)
        tenants.release(tenantId)
      }
    },
  }
}

/**
 * Returns the error for a request that has waited too long for an earlier request with the same idempotency
 * key.
 */
export const keyInProgress = (): GatewayError => fault('idempotency_key_in_progress', {}, retryLater)
