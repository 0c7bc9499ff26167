import type { Sandbox } from '../provider.ts'
import type { SnapCall } from '../snap/profile.ts'
import { wibDay } from '../snap/time.ts'

// At DOKU, an X-EXTERNAL-ID must be "unique in the same day", across all services. A second request with the same
// ID gets the code 409ss00 (`ss` is the service code), as in the simulated responses of doku-nodejs-library.

function scopeOf({ merchant, externalId }: SnapCall, now: number): string {
  return JSON.stringify(['doku', merchant.id, wibDay(now), externalId])
}

export function isUsed(sandbox: Sandbox, call: SnapCall, now: number): boolean {
  return sandbox.store.findReplay(scopeOf(call, now)) !== undefined
}

export function markUsed(sandbox: Sandbox, call: SnapCall, now: number): void {
  sandbox.store.saveReplay(scopeOf(call, now), 0, '')
}
