// An event that is to be delivered is held by one process at a time: until `next_attempt_at` nobody else attempts it. A
// hold is renewed or given up by who can name it, so of two that believe to have it one finds it gone. Whatever is not
// given up lapses by itself: a process that dies loses nothing.

import { after } from '../time.ts'

/** For a whole attempt, from the look-up of the name to the last byte of the answer's kept part. */
export const ATTEMPT_TIMEOUT_MS = 10_000
/** For clocks that differ, and for an attempt to be written down. */
const MARGIN_MS = 5_000
/** Long enough to be taken from the queue, wait for a place and be attempted without asking for the hold again. */
const HOLD_MS = 30_000

/** `heldUntil` also names the hold. */
export type Held = { tenantId: string; eventId: string; heldUntil: Date }

export const holdFrom = (at: Date): Date => after(at, HOLD_MS)

export const lastsForAnAttempt = ({ heldUntil }: Held, now: Date): boolean =>
  heldUntil.getTime() - now.getTime() >= ATTEMPT_TIMEOUT_MS + MARGIN_MS
