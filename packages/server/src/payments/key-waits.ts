// Repeats of a request that wait for the first one with their key. Each is in flight and asks the database again and
// again, so that those of one key and of one tenant are bounded; one more is answered as if it had waited.

import { GatewayError } from '../errors.ts'
import { fairPlaces } from '../fair-places.ts'
import type { Payment } from './payment.ts'

/** A shop that repeats after a second, for as long as a provider may take, sends ten. */
const OF_KEY = 32
const OF_TENANT = 128
const OF_ALL = 256

const RETRY_AFTER_SECONDS = 2

export type KeyWaits = {
  /** Throws IDEMPOTENCY_CONFLICT where no more may wait. The function that it returns ends the wait. */
  enter(payment: Pick<Payment, 'tenantId' | 'mode' | 'idempotencyKey'>): () => void
}

export function keyWaits({ ofKey = OF_KEY, ofTenant = OF_TENANT, ofAll = OF_ALL } = {}): KeyWaits {
  const keys = fairPlaces(Number.MAX_SAFE_INTEGER)
  const tenants = fairPlaces(ofAll)
  return {
    enter({ tenantId, mode, idempotencyKey }) {
      const key = `${tenantId} ${mode} ${idempotencyKey}`
      if (keys.take(key, ofKey)) throw stillRunning()
      if (tenants.take(tenantId, ofTenant)) {
        keys.free(key)
        throw stillRunning()
      }
      return () => {
        keys.free(key)
        tenants.free(tenantId)
      }
    },
  }
}

export const stillRunning = (): GatewayError =>
  new GatewayError(
    'IDEMPOTENCY_CONFLICT',
    'the first request with this X-Idempotency-Key is still running; repeat it',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )
