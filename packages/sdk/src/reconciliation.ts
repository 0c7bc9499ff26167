// A day's reconciliation, as a whole or while it is made. A large day with inquiries takes minutes: what comes in
// lines tells how far it is, and may be stopped.

import type { Call } from './call.ts'
import { ConnectionError, errorOf } from './errors.ts'
import {
  type ReconciliationLine as Line,
  type Reconciliation,
  type ReportReconciliationData,
  reportReconciliation,
} from './generated/index.ts'
import type { QueryOf } from './query.ts'

/**
 * What is told while a day is reconciled: how far it is, each difference when it is found, at last the summary.
 *
 * @example
 * const isDifference = (line: ReconciliationLine) => line.type === 'difference'
 */
export type ReconciliationLine = Exclude<Line, { type: 'error' }>

type Query = QueryOf<ReportReconciliationData>
type Body = { stream: ReadableStream<Uint8Array>; response: Response; origin: string }

export function reconciliationOf(call: Call) {
  /** Repeated only until it begins: what was told before a break is told. */
  const open = (query: Query, accept: string): Promise<Body> =>
    call.repeatable(async options => {
      const headers = { ...options.headers, Accept: accept }
      const answer = await reportReconciliation({ ...options, headers, query, parseAs: 'stream' })
      const stream = answer.data as unknown
      const { request, response } = answer
      // Lines have no envelope.
      const data =
        stream instanceof ReadableStream && request && response
          ? { success: true as const, data: { stream, response, origin: new URL(request.url).origin } }
          : undefined
      return { ...answer, data }
    })

  return {
    /**
     * A day's payments, the ledger and the word of the providers against each other; at most a thousand
     * differences, all of them counted.
     *
     * @example
     * const { balanced, differences } = await gapura.reports.reconciliation({ date: '2026-11-20' })
     */
    reconciliation: (query: Query = {}): Promise<Reconciliation> =>
      call.repeatable(options => reportReconciliation({ ...options, query })),

    /**
     * The same while it is made, with all differences. To stop listening stops it.
     *
     * @example
     * for await (const line of gapura.reports.reconciliationLines({ date: '2026-11-20' }))
     *   if (line.type === 'difference') console.log(line.kind, line.reference)
     */
    async *reconciliationLines(query: Query = {}): AsyncGenerator<ReconciliationLine, void, undefined> {
      const body = await open(query, 'application/x-ndjson')
      let rest = ''
      let isWhole = false
      for await (const text of texts(body)) {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        for (const each of lines) {
          const line = JSON.parse(each) as Line
          if (line.type === 'error')
            throw errorOf(line.error as Parameters<typeof errorOf>[0], {
              requestId: body.response.headers.get('x-request-id') ?? undefined,
            })
          isWhole = line.type === 'summary'
          yield line
        }
      }
      if (!isWhole) throw brokenOff(body, new Error('the answer ended before its summary'))
    },

    /**
     * All differences as CSV, piece by piece as they are found. If it breaks off it throws: what came is no whole.
     *
     * @example
     * for await (const piece of gapura.reports.reconciliationCsv({ date: '2026-11-20' })) file.write(piece)
     */
    async *reconciliationCsv(query: Query = {}): AsyncGenerator<string, void, undefined> {
      yield* texts(await open(query, 'text/csv'))
    },
  }
}

async function* texts(body: Body): AsyncGenerator<string, void, undefined> {
  const reader = body.stream.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((error: unknown) => {
        throw brokenOff(body, error)
      })
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    // Whoever stops early has no use for the rest.
    await reader.cancel().catch(() => {})
  }
}

const brokenOff = ({ origin }: Body, cause: unknown) => new ConnectionError(origin, cause)
