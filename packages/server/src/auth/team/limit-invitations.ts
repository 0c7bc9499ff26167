import type { Tx } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import { firstIdAt } from '../../values/id.ts'
import { secondsToNextInvitation } from './invitation.sql.ts'

/**
 * The limit for invitations to an email address. It equals the limit for password resets (send-password-reset.ts): an
 * admin can send another email if one gets lost, but cannot flood the mailbox.
 */
const MOST = 3
const MINUTES = 30

/** Audit entries are read from this time on. It is longer than the limit's period, because clocks can differ. */
const READ_FROM_MS = 2 * MINUTES * 60_000

/**
 * Throws an error if the tenant has reached the limit for invitations to this email address. The caller must have
 * locked or inserted the user's row, so that concurrent requests do not exceed the limit.
 */
export async function limitInvitations(
  tx: Tx,
  { tenantId, email }: { tenantId: string; email: string },
): Promise<void> {
  const fromId = firstIdAt(new Date(Date.now() - READ_FROM_MS))
  const limit = { tenantId, email, most: MOST, minutes: MINUTES, fromId }
  const seconds = await secondsToNextInvitation(tx, limit)
  if (seconds > 0)
    throw fault('invitations_exceeded', { most: MOST, seconds }, { retryAfterSeconds: seconds })
}
