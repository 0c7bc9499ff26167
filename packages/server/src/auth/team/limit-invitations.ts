import type { Tx } from '../../db/db.ts'
import { fault } from '../../faults/fault.ts'
import { firstIdAt } from '../../values/id.ts'
import { secondsToNextInvitation } from './invitation.sql.ts'

/**
 * The limit for invitations to an email address. It equals the limit for password resets (send-password-reset.ts): an
 * admin can send another email if one gets lost, but cannot flood the mailbox.
 */
const MOST_TO_ADDRESS = 3
/**
 * The limit for all of a tenant's invitations. Without it, an admin could send emails from the operator's address to any
 * number of people, and these emails would delay other tenants' password resets.
 */
const MOST_OF_TENANT = 50
const MINUTES = 30
/** Audit entries are read from this time on. It is longer than the limits' period, because clocks can differ. */
const READ_FROM_MS = 2 * MINUTES * 60_000

/**
 * Throws an error if the tenant has reached the limit for invitations to this email address, or for all its
 * invitations. The caller must have locked or inserted the user's row, so that concurrent requests do not exceed the
 * limit for the address. Concurrent requests for different addresses can exceed the tenant's limit by their number.
 */
export async function limitInvitations(
  tx: Tx,
  { tenantId, email }: { tenantId: string; email: string },
): Promise<void> {
  const fromId = firstIdAt(new Date(Date.now() - READ_FROM_MS))
  const secondsToNext = (most: number, to: string | null) =>
    secondsToNextInvitation(tx, { tenantId, email: to, most, minutes: MINUTES, fromId })
  const ofAddress = await secondsToNext(MOST_TO_ADDRESS, email)
  if (ofAddress > 0)
    throw fault(
      'invitations_exceeded',
      { most: MOST_TO_ADDRESS, seconds: ofAddress },
      { retryAfterSeconds: ofAddress },
    )
  const ofTenant = await secondsToNext(MOST_OF_TENANT, null)
  if (ofTenant > 0)
    throw fault(
      'tenant_invitations_exceeded',
      { most: MOST_OF_TENANT, seconds: ofTenant },
      { retryAfterSeconds: ofTenant },
    )
}
