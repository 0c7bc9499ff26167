// A day's reconciliation, as a whole or while it is made. A large day with inquiries takes minutes: what comes in
// lines tells how far it is, and may be stopped.

import type { ApiPromise } from './api-promise.ts'
import type { Call, CallOptions } from './call.ts'
import { ConnectionError, errorOf } from './errors.ts'
import { reportReconciliation } from './generated/operations.gen.ts'
import type {
  ReconciliationLine as Line,
  Reconciliation,
  ReportReconciliationData,
} from './generated/types.gen.ts'
import type { QueryOf } from './operation.ts'
import { openStream, texts } from './stream.ts'

/**
 * What is told while a day is reconciled: how far it is, each difference when it is found, at last the summary.
 *
 * @example
 * const isDifference = (line: ReconciliationLine) => line.type === 'difference'
 */
export type ReconciliationLine = Exclude<Line, { type: 'error' }>

type Query = QueryOf<ReportReconciliationData>

export function reconciliationOf(call: Call) {
  const open = (query: Query, options: CallOptions | undefined, accept: string) =>
    openStream(call, reportReconciliation, { query }, options, accept)

  return {
    /**
     * A day's payments, the ledger and the word of the providers against each other; at most a thousand
     * differences, all of them counted.
     *
     * @example
     * const { balanced, differences } = await gapura.reports.reconciliation({ date: '2026-11-20' })
     */
    reconciliation: (query: Query = {}, options?: CallOptions): ApiPromise<Reconciliation> =>
      call.repeatable(reportReconciliation, { query }, options),

    /**
     * The same while it is made, with all differences. To stop listening stops it.
     *
     * @example
     * for await (const line of gapura.reports.reconciliationLines({ date: '2026-11-20' }))
     *   if (line.type === 'difference') console.log(line.kind, line.reference)
     */
    async *reconciliationLines(
      query: Query = {},
      options?: CallOptions,
    ): AsyncGenerator<ReconciliationLine, void, undefined> {
      const body = await open(query, options, 'application/x-ndjson')
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
      if (!isWhole) throw new ConnectionError(body.origin, new Error('the answer ended before its summary'))
    },

    /**
     * All differences as CSV, piece by piece as they are found. If it breaks off it throws: what came is no whole.
     *
     * @example
     * for await (const piece of gapura.reports.reconciliationCsv({ date: '2026-11-20' })) file.write(piece)
     */
    async *reconciliationCsv(
      query: Query = {},
      options?: CallOptions,
    ): AsyncGenerator<string, void, undefined> {
      yield* texts(await open(query, options, 'text/csv'))
    },
  }
}
