import { type Actor, auditedTransaction } from '../audit/audited-transaction.ts'
import type { Db } from '../db/db.ts'
import { fault } from '../faults/fault.ts'
import { isId } from '../values/id.ts'
import {
  markDifferenceClosed as close,
  lockDifference,
  type StoredReconciliationDifference,
} from './difference.sql.ts'

/**
 * Closes a difference that the reconciliation found, with a reason given by the Owner (the service's operator).
 * Later runs do not open it again. Balances and payments do not change.
 */
export const closeDifference = (
  app: { db: Db },
  owner: Actor,
  id: string,
  reason: string,
): Promise<StoredReconciliationDifference> =>
  auditedTransaction(app, owner, async tx => {
    const before = isId(id) ? await lockDifference(tx, id) : undefined
    if (!before) throw fault('difference_not_found', { id })
    if (before.closed_at) throw fault('difference_closed', { reason: before.reason })
    const after = await close(tx, id, reason)
    const { kind, between, reference, payment_id } = after
    return {
      result: after,
      action: 'reconciliation_difference.close',
      tenantId: after.tenant_id,
      subjectId: id,
      before: { closed: false },
      after: { closed: true, kind, between, reference, payment_id, reason },
    }
  })
