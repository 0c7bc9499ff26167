import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import type { Decided } from './create.ts'
import type { SnapCall } from './profile.ts'

/**
 * Returns the storage key for a call's X-EXTERNAL-ID. The key includes the path, because all calls for one virtual
 * account have the account's trxId as their X-EXTERNAL-ID.
 */
export function scopeOf({ merchant, path, externalId }: SnapCall): string {
  return JSON.stringify(['snap', merchant.id, path, externalId])
}

/**
 * Returns the response to the first request with the call's X-EXTERNAL-ID. According to Midtrans, this ID
 * "has the same usage as idempotency-key" (core-api-snap-open-api-overview).
 */
export function storedAnswer(sandbox: Sandbox, call: SnapCall): Decided | undefined {
  const first = sandbox.store.findReplay(scopeOf(call))
  return first && { ...first, code: JSON.parse(first.body).responseCode }
}

export function keepSuccess(sandbox: Sandbox, call: SnapCall, { status, body }: Decided): void {
  if (status < 300) sandbox.store.saveReplay(scopeOf(call), status, body)
}

/**
 * Finds an order by the X-EXTERNAL-ID of its create request. The stored response to that request contains the
 * order's referenceNo.
 */
export function findByExternalId(
  sandbox: Sandbox,
  call: SnapCall,
  path: string,
  externalId: string,
): Order | undefined {
  const first = sandbox.store.findReplay(scopeOf({ ...call, path, externalId }))
  return first && sandbox.store.findById(JSON.parse(first.body).referenceNo)
}
