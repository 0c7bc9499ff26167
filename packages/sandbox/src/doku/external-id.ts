import type { Sandbox } from '../provider.ts'
import type { SnapCall } from '../snap/profile.ts'
import { wibDay } from '../snap/time.ts'

// DOKU defines X-EXTERNAL-ID as "a reference number that should be unique in the same day", across all services. If
// an X-EXTERNAL-ID is used a second time, DOKU responds with the code 409ss00, where ss is the service code. The
// simulated responses of doku-nodejs-library contain this code. DOKU does not replay the first response.

function scopeOf({ merchant, externalId }: SnapCall, now: number): string {
  return JSON.stringify(['doku', merchant.id, wibDay(now), externalId])
}

export function isUsed(sandbox: Sandbox, call: SnapCall, now: number): boolean {
  return sandbox.store.findReplay(scopeOf(call, now)) !== undefined
}

export function markUsed(sandbox: Sandbox, call: SnapCall, now: number): void {
  sandbox.store.saveReplay(scopeOf(call, now), 0, '')
}
