import type { Db } from '../db/db.ts'
import { auditReads, type Supporter, type SupportRead } from './audit-read.ts'

/**
 * How long equal requests add no further audit log entries after a request. This is longer than for a list of one
 * merchant's payments, because a page can contain the rows of many tenants. Also, an open dashboard refetches the page
 * often, for example to count the Inbox's items.
 */
const LIST_MS = 3_600_000

/**
 * Records in the audit log which other tenants' rows a user listed. Each tenant on the page gets one entry with the
 * list's filters. A row without a tenant, such as a callback of an unknown payment, adds no entry, because it would be
 * in no tenant's audit log.
 */
export function auditTenantsList(
  app: { db: Db },
  supporter: Supporter,
  action: SupportRead['action'],
  rows: readonly { tenantId: string | null }[],
  filters: object,
): Promise<void> {
  const tenants = new Set(rows.flatMap(({ tenantId }) => tenantId ?? []))
  tenants.delete(supporter.tenantId)
  const reads = [...tenants].map(tenantId => ({ action, subjectId: null, after: filters, tenantId }))
  return auditReads(app, supporter, reads, LIST_MS)
}
