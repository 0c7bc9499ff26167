// A lease gives one process the right to deliver a webhook event until the lease expires. The expiry is stored as
// the event's `next_attempt_at`, so the event is attempted again if the process crashes. The expiry also
// identifies the lease. Leases are never extended: a process that needs more time takes a new lease.

import { after } from '../../values/time.ts'

/**
 * The time limit for a whole webhook delivery attempt, from the DNS lookup to the last stored byte of the response.
 */
export const ATTEMPT_TIMEOUT_MS = 10_000
/**
 * The part of a lease (the temporary right to deliver an event) that is reserved for recording the delivery
 * attempt and for differences between clocks.
 */
const MARGIN_MS = 5_000
/**
 * The duration of a lease. After the time for an attempt and the margin (up to 15 s), 15 s remain in which a webhook
 * event can wait in memory.
 */
const LEASE_MS = 30_000

export type Lease = { tenantId: string; eventId: string; expiresAt: Date }

export const leaseExpiryFrom = (at: Date): Date => after(at, LEASE_MS)

export const coversAnAttempt = ({ expiresAt }: Lease, now: Date): boolean =>
  expiresAt.getTime() - now.getTime() >= ATTEMPT_TIMEOUT_MS + MARGIN_MS
