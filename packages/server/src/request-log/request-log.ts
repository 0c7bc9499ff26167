// Collects the requests of API keys in memory and writes them in batches, so that no request waits for the log. If the
// database is slow or unavailable, entries of the log are dropped and counted in a metric.

import { newId } from '../values/id.ts'
import { type ApiRequest, type SeenRequest, withoutSecrets } from './api-request.ts'
import { requestLogMetrics } from './request-log-metrics.ts'

/**
 * The interval between writes to the database. A request normally appears in the log within this interval
 * after its response is sent.
 */
const WRITE_EVERY_MS = 500
const ROWS_PER_INSERT = 500
/** The maximum number of rows of the log that wait in memory to be written. Each row takes about 1 kB. */
const MAX_ROWS = 10_000
/**
 * The maximum number of rows in memory for one tenant. A flood from one tenant therefore does not displace
 * the rows of other tenants.
 */
const MAX_ROWS_PER_TENANT = 5_000
/**
 * The maximum number of rate-limited requests that one write stores for a tenant. The rate limit saves work during a
 * flood of requests. Logging every rejected request would defeat this purpose.
 */
const MAX_RATE_LIMITED = 5

export type RequestLog = {
  /** Adds a request to the request log. The function never blocks and never throws. */
  note(request: SeenRequest): void
  /** Writes the collected rows to the database. Rows that cannot be written are dropped. */
  write(): Promise<void>
  stop(): Promise<void>
}

type Waiting = { rows: number; rateLimited: number }

export function requestLog(
  insert: (rows: ApiRequest[]) => Promise<void>,
  { failed }: { failed: (error: unknown, rows: number) => void },
): RequestLog {
  let rows: ApiRequest[] = []
  let ofTenant = new Map<string, Waiting>()
  let writing: Promise<void> = Promise.resolve()
  /** The number of rows that an insert in progress is writing. They count toward the limit of rows in memory. */
  let beingWritten = 0

  async function writeRows(): Promise<void> {
    const batch = rows
    rows = []
    ofTenant = new Map()
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
  // Starts no write while another write is in progress, so that writes never queue up.
  const timer = setInterval(
    () => beingWritten === 0 && rows.length > 0 && void write(),
    WRITE_EVERY_MS,
  ).unref()

  /** Returns the reason for dropping the row, or undefined if there is room for the row. */
  function whyDropped(waiting: Waiting, isRateLimited: boolean): string | undefined {
    if (rows.length + beingWritten >= MAX_ROWS) return 'full'
    if (waiting.rows >= MAX_ROWS_PER_TENANT) return 'tenant_full'
    if (isRateLimited && waiting.rateLimited >= MAX_RATE_LIMITED) return 'rate_limited'
    return undefined
  }

  return {
    note(request) {
      const waiting = ofTenant.get(request.tenantId) ?? { rows: 0, rateLimited: 0 }
      const isRateLimited = request.status === 429
      const why = whyDropped(waiting, isRateLimited)
      if (why !== undefined) return requestLogMetrics.dropped.inc({ why })
      waiting.rows++
      if (isRateLimited) waiting.rateLimited++
      ofTenant.set(request.tenantId, waiting)
      rows.push(withoutSecrets(request, newId()))
    },
    write,
    async stop() {
      clearInterval(timer)
      await write()
    },
  }
}
