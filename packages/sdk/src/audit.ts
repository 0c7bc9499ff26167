import type { PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import { listAuditLog } from './generated/operations.gen.ts'
import type { AuditEntry, ListAuditLogData } from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/** The audit log, which records management changes. */
export class AuditResource extends Resource {
  /**
   * Lists management changes, newest first. The Owner (the service's operator) sees all changes. Other tenants see
   * changes that affect them or were made by their users.
   *
   * @example
   * const { items } = await gapura.audit.list({ limit: 100 })
   */
  list(query: QueryOf<ListAuditLogData> = {}, options?: CallOptions): PagePromise<AuditEntry> {
    return pagesOf(this.call, listAuditLog, { query }, options)
  }
}
