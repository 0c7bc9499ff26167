// What the service wrote down, and the figures over it.

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
   * Number and sums of the payments created in a period, by what `group_by` names.
   *
   * @example
   * const { items } = await gapura.reports.payments({ from: '2026-11-01', group_by: 'day,status' })
   */
  payments: (query: QueryOf<ReportPaymentsData> = {}, options?: CallOptions): ApiPromise<PaymentReport> =>
    call.repeatable(reportPayments, { query }, options),

  /**
   * The same as CSV.
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
   * Every management act, newest first: all for the Owner, for others what concerns them.
   *
   * @example
   * const { items } = await gapura.audit.list({ limit: 100 })
   */
  list: (query: QueryOf<ListAuditLogData> = {}, options?: CallOptions): PagePromise<AuditEntry> =>
    pagesOf(call, listAuditLog, { query }, options),
})
