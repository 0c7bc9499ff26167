// Payment reports and the audit log.

import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type Call, type CallOptions, pagesOf } from './call.ts'
import { listAuditLog, reportPayments } from './generated/operations.gen.ts'
import type {
  AuditEntry,
  ListAuditLogData,
  PaymentReport,
  ReportPaymentsData,
} from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'
import { reconciliationOf } from './reconciliation.ts'

export const reportsOf = (call: Call) => ({
  /**
   * Returns the number and the total amounts of the payments created in a period, grouped by `group_by`.
   *
   * @example
   * const { items } = await gapura.reports.payments({ from: '2026-11-01', group_by: 'day,status' })
   */
  payments: (query: QueryOf<ReportPaymentsData> = {}, options?: CallOptions): ApiPromise<PaymentReport> =>
    call.repeatable(reportPayments, { query }, options),

  /**
   * Returns the payment report as CSV.
   *
   * @example
   * await writeFile('november.csv', await gapura.reports.paymentsCsv({ from: '2026-11-01' }))
   */
  paymentsCsv: (query: QueryOf<ReportPaymentsData> = {}, options?: CallOptions): ApiPromise<string> =>
    call.repeatable(reportPayments, { query }, options, {
      accept: 'text/csv',
      read: response => response.text(),
    }),

  ...reconciliationOf(call),
})

export const auditOf = (call: Call) => ({
  /**
   * Lists management changes, newest first. The Owner sees all changes; any other tenant sees those that it made or
   * that concern it.
   *
   * @example
   * const { items } = await gapura.audit.list({ limit: 100 })
   */
  list: (query: QueryOf<ListAuditLogData> = {}, options?: CallOptions): PagePromise<AuditEntry> =>
    pagesOf(call, listAuditLog, { query }, options),
})
