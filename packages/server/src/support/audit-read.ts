// Records in the audit log that a user of the Owner or a Partner read a merchant's payments. Pages in the dashboard
// repeat their reads, so equal reads by one user within some minutes share an audit entry.

import { insertAudit } from '../audit/audit.sql.ts'
import type { Db } from '../db/db.ts'
import { currentRequestId } from '../logging/log.ts'
import { boundedCache } from '../values/bounded-cache.ts'

export type Supporter = { tenantId: string; userId: string }

export type SupportRead = {
  action: 'callback.list' | 'payment.list' | 'payment.open' | 'refund.list'
  /** The tenant whose payments, refunds or callbacks are read. */
  tenantId: string
  /** The ID of the payment that was read, or null if a list was read. */
  subjectId: string | null
  after: object
}

/**
 * The audit log entries that were written recently or are being written, by the user's ID and what the user
 * read. A repeated read finds its entry here.
 */
const audited = boundedCache<Promise<void>>(10_000)

/**
 * Records the reads in the audit log and returns after the entries are committed. Await this function before you return
 * the data, so that no user reads a payment without an audit entry. If a user repeats a read within `sharedMs`
 * milliseconds, no further entry is added.
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
  // Another request may be writing one of these entries. If that write fails, the other request removes the entry's
  // promise from `audited`. This request therefore reads all promises before it waits for them.
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
