// What the service wrote down, and the figures over it.

import type { Call } from './call.ts'
import {
  type AuditEntryPage,
  type ListAuditLogData,
  listAuditLog,
  type PaymentReport,
  type ReportPaymentsData,
  reportPayments,
} from './generated/index.ts'
import type { QueryOf } from './query.ts'
import { reconciliationOf } from './reconciliation.ts'

export const reportsOf = (call: Call) => ({
  /**
   * Number and sums of the payments created in a period, by what `group_by` names.
   *
   * @example
   * const { items } = await gapura.reports.payments({ from: '2026-11-01', group_by: 'day,status' })
   */
  payments: (query: QueryOf<ReportPaymentsData> = {}): Promise<PaymentReport> =>
    call.repeatable(options => reportPayments({ ...options, query })),

  /**
   * The same as CSV.
   *
   * @example
   * await writeFile('november.csv', await gapura.reports.paymentsCsv({ from: '2026-11-01' }))
   */
  paymentsCsv: (query: QueryOf<ReportPaymentsData> = {}): Promise<string> =>
    call.repeatable(async options => {
      const headers = { ...options.headers, Accept: 'text/csv' }
      const answer = await reportPayments({ ...options, headers, query, parseAs: 'text' })
      const csv = answer.data as unknown
      // CSV has no envelope.
      return { ...answer, data: typeof csv === 'string' ? { success: true as const, data: csv } : undefined }
    }),

  ...reconciliationOf(call),
})

export const auditOf = (call: Call) => ({
  /**
   * Every management act, newest first, in pages: all for the Owner, for others what concerns them.
   *
   * @example
   * const { items } = await gapura.audit.list({ limit: 100 })
   */
  list: (query: QueryOf<ListAuditLogData> = {}): Promise<AuditEntryPage> =>
    call.repeatable(options => listAuditLog({ ...options, query })),
})
