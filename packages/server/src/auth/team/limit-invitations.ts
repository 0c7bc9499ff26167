import type { Tx } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import type { Manager } from '../../tenants/tenant.ts'
import { firstIdAt } from '../../values/id.ts'
import {
  secondsToNextInvitationBy,
  secondsToNextInvitationByAndTo,
  secondsToNextInvitationOfPartner,
  secondsToNextInvitationTo,
} from './invitation.sql.ts'

/**
 * The limit for invitations to one email address, the same as for password resets (send-password-reset.ts). An admin
 * can send another email if one gets lost, but cannot flood the mailbox. The limit applies to the invitations to one
 * team, and also to those sent by one Partner or Client. A Partner's admin therefore cannot invite the address to the
 * teams of many Clients.
 */
const MOST_TO_ADDRESS = 3
/**
 * The limit for all invitations that the users of one Partner or Client send. Without this limit, an admin could email
 * any number of people from the operator's address, and delay other tenants' password resets. Invitations count for the
 * sending tenant, because a Partner can create any number of Clients to invite users to.
 */
const MOST_OF_SENDER = 50
/**
 * The limits for a Partner and all its Clients together, per email address and in total. Limits per sender are not
 * enough, because a Partner's admin can create Clients and log in as their users. The shared limits are higher than the
 * limits per sender, so that a Partner does not use up its Clients' invitations.
 */
const MOST_TO_ADDRESS_OF_PARTNER = 10
const MOST_OF_PARTNER = 500
const MINUTES = 30
/**
 * How far back audit entries are read. This is twice the 30 minutes to which the limits apply, because clocks
 * can differ.
 */
const READ_FROM_MS = 2 * MINUTES * 60_000

/**
 * Throws an error if a limit is reached. The limits apply to this email address, to the sender, and to the sender's
 * Partner and its Clients together.
 *
 * The caller must have locked or inserted the user's row, so that concurrent requests do not exceed the limit for the
 * address. Concurrent requests for different addresses can exceed the other limits by one invitation each.
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
  const ofPartnerTo = { ...period, senderId, email, most: MOST_TO_ADDRESS_OF_PARTNER }
  throwUntilNext('invitations_exceeded', ofPartnerTo, await secondsToNextInvitationOfPartner(tx, ofPartnerTo))
  const ofPartner = { ...period, senderId, email: null, most: MOST_OF_PARTNER }
  throwUntilNext(
    'partner_invitations_exceeded',
    ofPartner,
    await secondsToNextInvitationOfPartner(tx, ofPartner),
  )
}

function throwUntilNext(
  id: 'invitations_exceeded' | 'tenant_invitations_exceeded' | 'partner_invitations_exceeded',
  { most }: { most: number },
  seconds: number,
): void {
  if (seconds > 0) throw fault(id, { most, seconds }, { retryAfterSeconds: seconds })
}
