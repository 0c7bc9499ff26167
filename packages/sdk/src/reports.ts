// The reports: the payment report, the totals of all tenants' books (double-entry accounts), and the reconciliation of
// one day. A reconciliation can take minutes, because it sends a status inquiry for each payment. A caller that streams
// the reconciliation sees the progress and can stop early.

import type { ApiPromise } from './api-promise.ts'
import type { CallOptions } from './call.ts'
import { errorOf } from './error-of.ts'
import { ConnectionError } from './errors.ts'
import { reportBooks, reportPayments, reportReconciliation } from './generated/operations.gen.ts'
import type {
  BookTotals,
  ReconciliationLine as Line,
  PaymentReport,
  Reconciliation,
  ReportBooksData,
  ReportPaymentsData,
  ReportReconciliationData,
} from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'
import { Resource } from './resource.ts'
import { openStream, textOf, texts } from './stream.ts'

/**
 * One line of a streamed reconciliation: progress, a difference, or the final summary.
 *
 * @example
 * const isDifference = (line: ReconciliationLine) => line.type === 'difference'
 */
export type ReconciliationLine = Exclude<Line, { type: 'error' }>

type Query = QueryOf<ReportReconciliationData>

/**
 * Reports of payment totals, the totals of all tenants' books (double-entry accounts), and the comparison of a day's
 * payments with the providers' records (reconciliation).
 */
export class ReportsResource extends Resource {
  /**
   * Returns the count and total amounts of payments created in a period, grouped by `group_by`.
   *
   * @example
   * const { items } = await gapura.reports.payments({ from: '2026-11-01', group_by: 'day,status' })
   */
  payments(query: QueryOf<ReportPaymentsData> = {}, options?: CallOptions): ApiPromise<PaymentReport> {
    return this.call.repeatable(reportPayments, { query }, options)
  }

  /**
   * Returns the payment report as CSV.
   *
   * @example
   * await writeFile('november.csv', await gapura.reports.paymentsCsv({ from: '2026-11-01' }))
   */
  paymentsCsv(query: QueryOf<ReportPaymentsData> = {}, options?: CallOptions): ApiPromise<string> {
    return this.call.repeatable(reportPayments, { query }, options, {
      accept: 'text/csv',
      read: textOf,
    })
  }

  /**
   * Returns each ledger account's total across all tenants, in cents, in one mode (live or test). Only for the
   * Owner (the service's operator).
   *
   * @example
   * const { provider_accounts, balanced } = await gapura.reports.books()
   * for (const { name, owed } of provider_accounts) console.log(name, owed)
   */
  books(query: QueryOf<ReportBooksData> = {}, options?: CallOptions): ApiPromise<BookTotals> {
    return this.call.repeatable(reportBooks, { query }, options)
  }

  /**
   * Compares a day's payments with the ledger and with the providers' settlements or statuses. The response lists
   * up to 1,000 differences but counts all of them.
   *
   * @example
   * const { balanced, differences } = await gapura.reports.reconciliation({ date: '2026-11-20' })
   */
  reconciliation(query: Query = {}, options?: CallOptions): ApiPromise<Reconciliation> {
    return this.call.repeatable(reportReconciliation, { query }, options)
  }

  /**
   * Streams a day's reconciliation: its progress, all differences and the summary. To stop the reconciliation
   * early, leave the loop.
   *
   * @example
   * for await (const line of gapura.reports.reconciliationLines({ date: '2026-11-20' }))
   *   if (line.type === 'difference') console.log(line.kind, line.reference)
   */
  async *reconciliationLines(
    query: Query = {},
    options?: CallOptions,
  ): AsyncGenerator<ReconciliationLine, void, undefined> {
    const body = await this.#open(query, options, 'application/x-ndjson')
    let rest = ''
    let isWhole = false
    for await (const text of texts(body)) {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const each of lines) {
        const line = JSON.parse(each) as Line
        if (line.type === 'error')
          throw errorOf(line.error as Parameters<typeof errorOf>[0], { requestId: body.requestId })
        isWhole = line.type === 'summary'
        yield line
      }
    }
    if (!isWhole)
      throw new ConnectionError(
        body.origin,
        new Error('the response ended before its last line, the summary'),
      )
  }

  /**
   * Streams all differences in a reconciliation as CSV as the service finds them. Throws an error if the export
   * fails midway, in which case you must discard the partial file.
   *
   * @example
   * for await (const piece of gapura.reports.reconciliationCsv({ date: '2026-11-20' })) file.write(piece)
   */
  async *reconciliationCsv(
    query: Query = {},
    options?: CallOptions,
  ): AsyncGenerator<string, void, undefined> {
    yield* texts(await this.#open(query, options, 'text/csv'))
  }

  #open(query: Query, options: CallOptions | undefined, accept: string) {
    return openStream(this.call, reportReconciliation, { query }, options, accept)
  }
}
