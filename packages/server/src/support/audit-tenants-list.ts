import type { Db } from '../db/db.ts'
import { auditReads, type Supporter, type SupportRead } from './audit-read.ts'

/**
 * A page can contain the rows of many tenants, and an open dashboard refetches it often, for example to count the
 * Inbox's items. Equal requests therefore share their audit entries for longer than equal requests for a list of one
 * merchant's payments.
 */
const LIST_MS = 3_600_000

/**
 * Records in the audit log which other tenants' rows a user listed: one entry for each tenant on the page, with the
 * list's filters. Rows without a tenant, such as callbacks of unknown payments, add no entry, because no tenant's audit
 * log could show it.
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
