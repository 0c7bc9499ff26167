// Records finished webhook delivery attempts in batches. If an attempt cannot be recorded, the error is logged, and the
// event is sent again when its lease expires.

import { isDatabaseUnavailable } from '../../db/database-errors.ts'
import type { Db } from '../../db/db.ts'
import { groupsByShard } from '../../db/distributed-database.ts'
import type { Logger } from '../../logging/log.ts'
import { type EndedAttempt, recordAttempts, recordLateAttempt } from './attempt.sql.ts'
import type { Lease } from './lease.ts'

/** The delay between a failed webhook delivery attempt and the next one. */
export const RETRY_PAUSE_MS = 10_000

/** A finished attempt to deliver a webhook event. `paymentId` is null for a test event. */
export type PaymentAttempt = EndedAttempt & { paymentId: string | null }

/**
 * Records webhook delivery attempts. A payment's later events wait until its earlier events are delivered or given up.
 * Returns leases on the later events that no longer have to wait, so that they can be sent.
 */
export async function recordEndedAttempts(
  app: { db: Db; log: Logger },
  attempts: PaymentAttempt[],
): Promise<Lease[]> {
  const followers: Lease[] = []
  for (const group of groupsByShard(app.db, attempts, each => each.tenantId))
    followers.push(...(await recordGroup(app, group)))
  return followers
}

async function recordGroup(app: { db: Db; log: Logger }, attempts: PaymentAttempt[]): Promise<Lease[]> {
  try {
    const { followers, late } = await recordAttempts(app.db, attempts, RETRY_PAUSE_MS)
    for (const each of late) await recordLate(app, each)
    return followers
  } catch (error) {
    // The batch could not be recorded as a whole. Each attempt is now recorded separately, so that one
    // invalid attempt does not affect the others.
    if (attempts.length > 1 && !isDatabaseUnavailable(error)) {
      const followers: Lease[] = []
      for (const each of attempts) followers.push(...(await recordGroup(app, [each])))
      return followers
    }
    const events = attempts.map(({ tenantId, eventId, paymentId }) => ({ tenantId, eventId, paymentId }))
    app.log.warn({ err: error, events }, 'webhook attempts were not recorded; they will be repeated')
    return []
  }
}

/**
 * Records an attempt to deliver a webhook event that another attempt has finished in the meantime. The
 * batch's other attempts are already recorded, so an error here does not affect them.
 */
async function recordLate(app: { db: Db; log: Logger }, attempt: PaymentAttempt): Promise<void> {
  await recordLateAttempt(app.db, attempt).catch(error => {
    const { tenantId, eventId, paymentId } = attempt
    app.log.warn(
      { err: error, tenantId, paymentId, eventId },
      'attempt of an already finished webhook event was not recorded',
    )
  })
}
