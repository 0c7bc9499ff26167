import type { Tx } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Manager } from '../../tenants/tenant.ts'
import { firstIdAt } from '../../values/id.ts'
import {
  secondsToNextInvitationBy,
  secondsToNextInvitationByAndTo,
  secondsToNextInvitationTo,
} from './invitation.sql.ts'

/**
 * The limit for invitations to an email address. It equals the limit for password resets (send-password-reset.ts): an
 * admin can send another email if one gets lost, but cannot flood the mailbox. It applies to each invited team, and to all
 * invitations that a Partner's or Client's users send. Otherwise, a Partner's admin could invite the address to the teams
 * of many Clients.
 */
const MOST_TO_ADDRESS = 3
/**
 * The limit for all invitations that a Partner's or Client's users send. Without it, an admin could send emails from the
 * operator's address to any number of people, and these emails would delay other tenants' password resets. The sender's
 * invitations count, not the invited tenant's, because a Partner can create any number of Clients.
 */
const MOST_OF_SENDER = 50
const MINUTES = 30
/** How far back audit entries are read. This is longer than the limits' period, because clocks can differ. */
const READ_FROM_MS = 2 * MINUTES * 60_000

/**
 * Throws an error if the limit for invitations to this email address, or for all the sender's invitations, is reached.
 * The caller must have locked or inserted the user's row, so that concurrent requests do not exceed the limit for the
 * address. Concurrent requests for different addresses can exceed the sender's limit by their number.
 */
export async function limitInvitations(
  tx: Tx,
  sender: Manager,
  { tenantId, email }: { tenantId: string; email: string },
): Promise<void> {
  const period = { minutes: MINUTES, fromId: firstIdAt(new Date(Date.now() - READ_FROM_MS)) }
  const toAddress = { ...period, tenantId, email, most: MOST_TO_ADDRESS }
  throwUntilNext('invitations_exceeded', toAddress, await secondsToNextInvitationTo(tx, toAddress))
  if (sender === null || sender.role === 'owner') return
  const senderId = sender.tenantId
  const byAndTo = { ...period, senderId, email, most: MOST_TO_ADDRESS }
  throwUntilNext('invitations_exceeded', byAndTo, await secondsToNextInvitationByAndTo(tx, byAndTo))
  const bySender = { ...period, senderId, most: MOST_OF_SENDER }
  throwUntilNext('tenant_invitations_exceeded', bySender, await secondsToNextInvitationBy(tx, bySender))
}

function throwUntilNext(
  id: 'invitations_exceeded' | 'tenant_invitations_exceeded',
  { most }: { most: number },
  seconds: number,
): void {
  if (seconds > 0) throw fault(id, { most, seconds }, { retryAfterSeconds: seconds })
}
