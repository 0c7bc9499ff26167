// Records in the audit log that a user of the Owner or a Partner read a merchant's payments. Pages in the dashboard
// repeat their reads, so equal reads by one user within some minutes share an audit entry.

import { LRUCache } from 'lru-cache'
import { insertAudit } from '../audit/audit.sql.ts'
import type { Db } from '../db/db.ts'
import { currentRequestId } from '../logging/log.ts'

export type Supporter = { tenantId: string; userId: string }

export type SupportRead = {
  action: 'callback.list' | 'payment.list' | 'payment.open' | 'refund.list'
  /** The tenant whose payments, refunds or callbacks are read. */
  tenantId: string
  /** The payment's ID, or null for a list. */
  subjectId: string | null
  after: object
}

/** The audit entries written recently or being written now, by user and read. */
const audited = new LRUCache<string, Promise<void>>({ max: 10_000 })

/**
 * Returns after the audit entries are committed. Await it before you return the data, so that no user reads a payment
 * without an entry. Equal reads within `sharedMs` milliseconds of the first one add no further entry.
 */
export async function auditReads(
  app: { db: Db },
  supporter: Supporter,
  reads: readonly SupportRead[],
  sharedMs: number,
): Promise<void> {
  const keyed = reads.map(read => ({ read, key: JSON.stringify([supporter.userId, read]) }))
  const added = keyed.filter(({ key }) => !audited.has(key))
  if (added.length > 0) {
    const written = writeEntries(
      app,
      supporter,
      added.map(({ read }) => read),
    )
    for (const { key } of added) audited.set(key, written, { ttl: sharedMs })
    written.catch(() => {
      for (const { key } of added) audited.delete(key)
    })
  }
  // Another request may be writing an entry. If it fails, it deletes its promise, so all promises are read before the wait.
  const entries = keyed.map(({ key }) => audited.get(key))
  await Promise.all(entries)
}

const writeEntries = (
  app: { db: Db },
  { tenantId: actorTenantId, userId: actorUserId }: Supporter,
  reads: readonly SupportRead[],
): Promise<void> =>
  (app.db as Db).transaction(async tx => {
    const requestId = currentRequestId() ?? null
    for (const read of reads)
      await insertAudit(tx, { ...read, before: null, actorTenantId, actorUserId, requestId })
  })
