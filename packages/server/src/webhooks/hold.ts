// Defines a hold: a lease that lets one process at a time deliver an event, until `next_attempt_at`. A process renews
// or releases a hold by its exact end time, so if two processes believe they have it, one finds it gone. A hold that is
// not released expires, so a process that crashes loses no event.

import { after } from '../time.ts'

/** The limit for a whole attempt, from the DNS lookup to the last stored byte of the response. */
export const ATTEMPT_TIMEOUT_MS = 10_000
/** Allows for clock differences, and for recording the attempt. */
const MARGIN_MS = 5_000
/** Long enough to take an event from the queue, wait for a slot and attempt it without renewing the hold. */
const HOLD_MS = 30_000

/** `heldUntil` also identifies the hold. */
export type Held = { tenantId: string; eventId: string; heldUntil: Date }

export const holdFrom = (at: Date): Date => after(at, HOLD_MS)

export const lastsForAnAttempt = ({ heldUntil }: Held, now: Date): boolean =>
  heldUntil.getTime() - now.getTime() >= ATTEMPT_TIMEOUT_MS + MARGIN_MS
