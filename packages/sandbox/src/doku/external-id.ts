import type { Sandbox } from '../provider.ts'
import type { SnapCall } from '../snap/profile.ts'
import { wibDay } from '../snap/time.ts'

// X-EXTERNAL-ID is "a reference number that should be unique in the same day", across all services. DOKU rejects its
// second use with 409ss00 (the simulated responses of doku-nodejs-library) and replays nothing.

function scopeOf({ merchant, externalId }: SnapCall, now: number): string {
  return JSON.stringify(['doku', merchant.id, wibDay(now), externalId])
}

export function isUsed(sandbox: Sandbox, call: SnapCall, now: number): boolean {
  return sandbox.store.findReplay(scopeOf(call, now)) !== undefined
}

export function markUsed(sandbox: Sandbox, call: SnapCall, now: number): void {
  sandbox.store.saveReplay(scopeOf(call, now), 0, '')
}
