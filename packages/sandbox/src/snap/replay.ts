import type { Order } from '../order.ts'
import type { Sandbox } from '../provider.ts'
import type { Decided } from './create.ts'
import type { SnapCall } from './profile.ts'

/** A service of its own each: Midtrans wants a virtual account's X-EXTERNAL-ID to be its trxId, everywhere. */
export function scopeOf({ merchant, path, externalId }: SnapCall): string {
  return JSON.stringify(['snap', merchant.id, path, externalId])
}

/** X-EXTERNAL-ID "has the same usage as idempotency-key" (core-api-snap-open-api-overview): the first answer again. */
export function storedAnswer(sandbox: Sandbox, call: SnapCall): Decided | undefined {
  const first = sandbox.store.findReplay(scopeOf(call))
  return first && { ...first, code: JSON.parse(first.body).responseCode }
}

export function keepSuccess(sandbox: Sandbox, call: SnapCall, { status, body }: Decided): void {
  if (status < 300) sandbox.store.saveReplay(scopeOf(call), status, body)
}

/** The order whose create call carried this X-EXTERNAL-ID, where an answer names its referenceNo. */
export function findByExternalId(
  sandbox: Sandbox,
  call: SnapCall,
  path: string,
  externalId: string,
): Order | undefined {
  const first = sandbox.store.findReplay(scopeOf({ ...call, path, externalId }))
  return first && sandbox.store.findById(JSON.parse(first.body).referenceNo)
}
