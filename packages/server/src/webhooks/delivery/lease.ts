// Defines a lease: it lets one process at a time deliver an event until the lease expires. The event's
// `next_attempt_at` is the expiry time, so that the event is due again when the lease expires, and a crash loses no
// event. The exact time also identifies the lease: of two processes that believe that they have it, only the one that
// knows the current time has it. A lease is never renewed.

import { after } from '../../values/time.ts'

/** The time limit of a whole attempt, from the DNS lookup to the last stored byte of the response. */
export const ATTEMPT_TIMEOUT_MS = 10_000
/** The part of a lease that is reserved for clock differences and for recording the attempt. */
const MARGIN_MS = 5_000
/** The duration of a lease: enough to wait 15 s in memory and then attempt the delivery. */
const LEASE_MS = 30_000

export type Lease = { tenantId: string; eventId: string; expiresAt: Date }

export const leaseExpiryFrom = (at: Date): Date => after(at, LEASE_MS)

export const coversAnAttempt = ({ expiresAt }: Lease, now: Date): boolean =>
  expiresAt.getTime() - now.getTime() >= ATTEMPT_TIMEOUT_MS + MARGIN_MS
