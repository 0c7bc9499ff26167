// Limits how many calls of one source (IP address), user, tenant or Partner run at the same time. Further calls wait
// in memory. Otherwise, calls that hold a database connection while they wait for the same row could hold all
// connections.

import { queueingLimit } from '../fairness/queueing-limit.ts'
import type { UserCaller } from './context.ts'

/**
 * The limits of the queues in which calls wait for other calls of the same source, user, tenant or Partner. The
 * maximum wait is the same as for a database connection.
 */
const queueBounds = { maxWaiting: 64, maxWaitMs: 5_000 }

const PUBLIC_CALLS_PER_SOURCE = 4
/** Runs a call without authentication. */
export const inTurnOfSource = queueingLimit(PUBLIC_CALLS_PER_SOURCE, {
  ...queueBounds,
  what: 'requests from your IP address',
})

/** The maximum number of changes by the users of one Partner or Client that run at the same time. */
const CHANGES_PER_TENANT = 4
const inTurnOfTenant = queueingLimit(CHANGES_PER_TENANT, { ...queueBounds, what: 'changes by your users' })

/**
 * Each user's changes first wait in a queue of their own. Otherwise, one user could fill the tenant's queue, and an
 * admin could not remove this user.
 */
const CHANGES_PER_USER = 2
const inTurnOfUser = queueingLimit(CHANGES_PER_USER, { ...queueBounds, what: 'changes by this user' })

/**
 * The maximum number of concurrent changes by all Clients of one Partner together. Without this limit, a Partner could
 * hold all database connections through many Clients. The Partner's own changes do not count, so its Clients cannot
 * prevent it from suspending one of them. Together, a Partner and its Clients hold at most 12 of the 18 connections
 * (compose.ts).
 */
const CHANGES_PER_PARTNER = 8
const inTurnOfPartner = queueingLimit(CHANGES_PER_PARTNER, {
  ...queueBounds,
  what: 'changes by Clients of your Partner',
})

/** Runs a change by a user, after it has waited for the user, then for the tenant, and then for the tenant's Partner. */
export function inTurnOfCaller<T>(
  { userId, tenantId, partnerId }: Pick<UserCaller, 'userId' | 'tenantId' | 'partnerId'>,
  change: () => Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T> {
  const ofPartner = () => (partnerId === null ? change() : inTurnOfPartner(partnerId, change, signal))
  return inTurnOfUser(userId, () => inTurnOfTenant(tenantId, ofPartner, signal), signal)
}
