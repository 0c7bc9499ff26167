import type { Sandbox } from '../provider.ts'
import type { SnapCall } from '../snap/profile.ts'
import { wibDay } from '../snap/time.ts'

// X-EXTERNAL-ID is "a reference number that should be unique in the same day", over all services; DOKU answers the
// second one 409ss00 (the simulated answers of doku-nodejs-library). Nothing is replayed.

function scopeOf({ merchant, externalId }: SnapCall, now: number): string {
  return JSON.stringify(['doku', merchant.id, wibDay(now), externalId])
}

export function isUsed(sandbox: Sandbox, call: SnapCall, now: number): boolean {
  return sandbox.store.findReplay(scopeOf(call, now)) !== undefined
}

export function markUsed(sandbox: Sandbox, call: SnapCall, now: number): void {
  sandbox.store.saveReplay(scopeOf(call, now), 0, '')
}
