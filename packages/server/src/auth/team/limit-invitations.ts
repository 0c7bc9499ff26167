import type { Db, Tx } from '../../db/db.ts'
import { inScope } from '../../db/tenant-scope.ts'
import { fault } from '../../faults/fault.ts'
import type { Manager } from '../../tenants/tenant.ts'
import { firstIdAt } from '../../values/id.ts'
import {
  secondsToNextInvitationBy,
  secondsToNextInvitationByAndTo,
  secondsToNextInvitationOfPartner,
  secondsToNextInvitationOfPartnerTo,
  secondsToNextInvitationTo,
} from './invitation.sql.ts'

/**
 * The limit for invitations to one email address, the same as for password resets (send-password-reset.ts). An admin
 * can send another email if one gets lost, but cannot flood the mailbox. The limit applies per team, and also to all
 * invitations of one Partner or Client. Otherwise, a Partner's admin could invite the address to the teams of many
 * Clients.
 */
const MOST_TO_ADDRESS = 3
/**
 * The limit for all invitations that the users of one Partner or Client send. Without this limit, an admin could email
 * any number of people from the operator's address, and these emails would delay other tenants' password resets.
 * Invitations count for the tenant that sends them, not for the invited tenant, because a Partner can create any number
 * of Clients.
 */
const MOST_OF_SENDER = 50
/**
 * The limits for a Partner and all its Clients together, per email address and in total. A Partner's admin can create
 * Clients and log in as users of these Clients, so the limits of each sender do not limit this admin. These limits are
 * higher, so that a Partner does not use up its Clients' invitations.
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
 * Throws an error if the limit for invitations to this email address, or for all the sender's invitations, is reached.
 * The caller must have locked or inserted the user's row, so that concurrent requests do not exceed the limit for the
 * address. Concurrent requests for different addresses can exceed the sender's limit by one invitation each.
 */
export async function limitInvitations(
  tx: Tx,
  sender: Manager,
  { tenantId, email }: { tenantId: string; email: string },
): Promise<void> {
  const period = currentPeriod()
  const toAddress = { ...period, tenantId, email, most: MOST_TO_ADDRESS }
  throwUntilNext('invitations_exceeded', toAddress, await secondsToNextInvitationTo(tx, toAddress))
  if (sender === null || sender.role === 'owner') return
  const senderId = sender.tenantId
  const byAndTo = { ...period, senderId, email, most: MOST_TO_ADDRESS }
  throwUntilNext('invitations_exceeded', byAndTo, await secondsToNextInvitationByAndTo(tx, byAndTo))
  const bySender = { ...period, senderId, most: MOST_OF_SENDER }
  throwUntilNext('tenant_invitations_exceeded', bySender, await secondsToNextInvitationBy(tx, bySender))
}

/**
 * Throws an error if a Partner and its Clients together have reached a limit for invitations, to this email address or
 * in total. The sender can be the Partner or one of its Clients. Must be called before the invitation's transaction,
 * because a Client's transaction cannot see the invitations of other tenants. Concurrent requests can exceed these
 * limits by one invitation each.
 */
export async function limitInvitationsOfPartner(
  app: { db: Db },
  sender: Manager,
  email: string,
): Promise<void> {
  if (sender === null || sender.role === 'owner') return
  const of = { ...currentPeriod(), senderId: sender.tenantId }
  const toAddress = { ...of, email, most: MOST_TO_ADDRESS_OF_PARTNER }
  const inTotal = { ...of, most: MOST_OF_PARTNER }
  const [secondsToAddress, seconds] = await inScope(undefined, () =>
    Promise.all([
      secondsToNextInvitationOfPartnerTo(app.db, toAddress),
      secondsToNextInvitationOfPartner(app.db, inTotal),
    ]),
  )
  throwUntilNext('invitations_exceeded', toAddress, secondsToAddress)
  throwUntilNext('partner_invitations_exceeded', inTotal, seconds)
}

const currentPeriod = () => ({
  minutes: MINUTES,
  fromId: firstIdAt(new Date(Date.now() - READ_FROM_MS)),
})

function throwUntilNext(
  id: 'invitations_exceeded' | 'tenant_invitations_exceeded' | 'partner_invitations_exceeded',
  { most }: { most: number },
  seconds: number,
): void {
  if (seconds > 0) throw fault(id, { most, seconds }, { retryAfterSeconds: seconds })
}
