// Collects requests made with API keys in memory and writes them in batches, so that no request waits for the log.
// If the database is slow or unavailable, log entries are dropped and counted in a metric.

import { newId } from '../values/id.ts'
import { type ApiRequest, type SeenRequest, withoutSecrets } from './api-request.ts'
import { requestLogMetrics } from './request-log-metrics.ts'
import { writeLimits } from './write-limits.ts'

/**
 * The interval between writes to the database. A request therefore normally appears in the log at most this long after
 * its response.
 */
const WRITE_EVERY_MS = 500
const ROWS_PER_INSERT = 500
/** The maximum number of log rows waiting in memory to be written. Each row takes about 1 kB. */
const MAX_ROWS = 10_000

export type RequestLog = {
  /** Adds a request to the request log. The function never blocks and never throws. */
  note(request: SeenRequest): void
  /**
   * Writes the logged requests that wait in memory to the database. Requests that cannot be written are dropped and
   * counted in a metric.
   */
  write(): Promise<void>
  stop(): Promise<void>
}

export function requestLog(
  insert: (rows: ApiRequest[]) => Promise<void>,
  { failed }: { failed: (error: unknown, rows: number) => void },
): RequestLog {
  let rows: ApiRequest[] = []
  let limits = writeLimits()
  let writing: Promise<void> = Promise.resolve()
  /**
   * The number of rows being written by an insert in progress. These rows count toward the limit on rows in
   * memory.
   */
  let beingWritten = 0

  async function writeRows(): Promise<void> {
    const batch = rows
    rows = []
    limits = writeLimits()
    beingWritten = batch.length
    for (let i = 0; i < batch.length; i += ROWS_PER_INSERT) {
      const part = batch.slice(i, i + ROWS_PER_INSERT)
      await insert(part).catch(error => {
        requestLogMetrics.dropped.inc({ why: 'failed' }, part.length)
        failed(error, part.length)
      })
      beingWritten -= part.length
    }
  }
  const write = () => {
    writing = writing.then(writeRows)
    return writing
  }
  // The next write starts only after the previous one has ended, so that writes never queue up. Until then,
  // the rows wait in memory.
  const timer = setInterval(
    () => beingWritten === 0 && rows.length > 0 && void write(),
    WRITE_EVERY_MS,
  ).unref()

  return {
    note(request) {
      const isFull = rows.length + beingWritten >= MAX_ROWS
      const why = isFull ? 'full' : limits.count(request)
      if (why === undefined) rows.push(withoutSecrets(request, newId()))
      else requestLogMetrics.dropped.inc({ why })
    },
    write,
    async stop() {
      clearInterval(timer)
      await write()
    },
  }
}
