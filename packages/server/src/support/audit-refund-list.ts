import type { Db } from '../db/db.ts'
import { auditReads, type Supporter } from './audit-read.ts'

/**
 * A page of refunds can contain many merchants' refunds, and an open page is refetched often. Equal requests therefore
 * share their audit entries for longer than those of a list of one merchant's payments.
 */
const LIST_MS = 3_600_000

/**
 * Records in the audit log which other tenants' refunds a user listed: one entry for each tenant on the page, with the
 * list's filters.
 */
export function auditRefundList(
  app: { db: Db },
  supporter: Supporter,
  refunds: readonly { tenantId: string }[],
  filters: object,
): Promise<void> {
  const tenants = new Set(refunds.map(refund => refund.tenantId))
  tenants.delete(supporter.tenantId)
  const reads = [...tenants].map(tenantId => ({
    ...({ action: 'refund.list', subjectId: null, after: filters } as const),
    tenantId,
  }))
  return auditReads(app, supporter, reads, LIST_MS)
}
