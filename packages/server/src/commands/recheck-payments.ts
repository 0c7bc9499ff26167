import { auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { makeChecksDue } from './recheck-payments.sql.ts'

/**
 * Schedules an immediate status inquiry for every payment that may have been paid without a trace in the database.
 * Returns the number of these payments. Used after restoring a backup, because only the providers know what has
 * happened since the backup.
 */
export async function recheckPayments(app: { db: Db }): Promise<number> {
  return auditedTransaction(app, null, async tx => {
    const count = await makeChecksDue(tx)
    return {
      result: count,
      action: 'payments.recheck',
      tenantId: null,
      subjectId: null,
      before: null,
      after: { payments: count },
    }
  })
}
