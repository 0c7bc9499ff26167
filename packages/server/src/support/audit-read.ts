// Records in the audit log that a user of the Owner or a Partner read a merchant's payments. Pages in the dashboard
// repeat their reads, so equal reads by one user within some minutes share an audit entry.

import { LRUCache } from 'lru-cache'
import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'

export type Supporter = { tenantId: string; userId: string }

type SupportRead = {
  action: 'payment.list' | 'payment.open'
  /** The tenant whose payments are read. */
  tenantId: string
  /** The payment's ID, or null for a list. */
  subjectId: string | null
  after: object
}

/** The audit entries written recently or being written now, by user and read. */
const audited = new LRUCache<string, Promise<void>>({ max: 10_000 })

/**
 * Returns after the audit entry is committed. Await it before you return the data, so that no user reads a payment
 * without an entry. Equal reads within `sharedMs` milliseconds of the first one add no further entry.
 */
export async function auditRead(
  app: { db: Db },
  supporter: Supporter,
  read: SupportRead,
  sharedMs: number,
): Promise<void> {
  const key = JSON.stringify([supporter.userId, read])
  const entry = audited.get(key) ?? writeEntry(app, supporter, read)
  audited.set(key, entry, { ttl: sharedMs, noUpdateTTL: true })
  await entry.catch(error => {
    audited.delete(key)
    throw error
  })
}

const writeEntry = (app: { db: Db }, supporter: Supporter, read: SupportRead): Promise<void> =>
  auditedTransaction(app, supporter, async () => ({ result: undefined, before: null, ...read }))
