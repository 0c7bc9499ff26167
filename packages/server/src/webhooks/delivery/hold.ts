// Defines a hold: a lease that lets one process at a time deliver an event until `next_attempt_at`. A process renews or
// releases a hold by its exact end time. So if two processes believe that they have the hold, one of them finds that it
// has lost it. A hold that is not released expires, so a crash of a process loses no event.

import { after } from '../../values/time.ts'

/** The time limit of a whole attempt, from the DNS lookup to the last stored byte of the response. */
export const ATTEMPT_TIMEOUT_MS = 10_000
/** The part of a hold that is reserved for clock differences and for recording the attempt. */
const MARGIN_MS = 5_000
/**
 * The duration of a hold. It is long enough to load an event, wait for a slot and attempt the delivery without renewing
 * the hold.
 */
const HOLD_MS = 30_000

/** A held event. Its `heldUntil` also identifies the hold. */
export type Held = { tenantId: string; eventId: string; heldUntil: Date }

export const holdFrom = (at: Date): Date => after(at, HOLD_MS)

export const lastsForAnAttempt = ({ heldUntil }: Held, now: Date): boolean =>
  heldUntil.getTime() - now.getTime() >= ATTEMPT_TIMEOUT_MS + MARGIN_MS
