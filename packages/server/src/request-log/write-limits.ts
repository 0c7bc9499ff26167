// Decides which requests are stored in each batch of the request log. The limits ensure that a flood of requests
// costs little, and that one tenant's requests cannot crowd out other tenants' requests.

import type { SeenRequest } from './api-request.ts'

/** The maximum number of rows per tenant that one write to the request log stores. */
const MAX_ROWS_PER_TENANT = 5_000
/**
 * The maximum number of rate-limited requests that one write stores per tenant. The rate limit saves work during a
 * flood of requests, and logging every rejected request would defeat this purpose.
 */
const MAX_RATE_LIMITED = 5
/**
 * The maximum number of successful reads (GET and HEAD requests) that one write to the request log stores: in total,
 * and for each API key and route. Reads are limited because most requests under high load are successful reads, and
 * merchants rarely search for a read.
 */
const MAX_READS = 500
const MAX_READS_PER_ROUTE = 20

export type WriteLimits = {
  /**
   * Counts the request and returns undefined if the limits allow it to be stored in the request log.
   * Otherwise, returns the reason for dropping the request.
   */
  count(request: SeenRequest): 'tenant_full' | 'rate_limited' | 'frequent_read' | undefined
}

/** Returns the limits for one write to the request log, with all counts at zero. */
export function writeLimits(): WriteLimits {
  const rowsOf = new Map<string, number>()
  const rateLimitedOf = new Map<string, number>()
  const readsOf = new Map<string, number>()
  let reads = 0

  return {
    count(request) {
      const { tenantId, apiKeyId, route, status, method } = request
      if (!hasRoom(rowsOf, tenantId, MAX_ROWS_PER_TENANT)) return 'tenant_full'
      if (status === 429) {
        if (!hasRoom(rateLimitedOf, tenantId, MAX_RATE_LIMITED)) return 'rate_limited'
        increment(rateLimitedOf, tenantId)
      } else if ((method === 'GET' || method === 'HEAD') && status < 400) {
        const read = `${apiKeyId} ${route}`
        if (reads >= MAX_READS || !hasRoom(readsOf, read, MAX_READS_PER_ROUTE)) return 'frequent_read'
        reads++
        increment(readsOf, read)
      }
      increment(rowsOf, tenantId)
      return undefined
    },
  }
}

const hasRoom = (counts: Map<string, number>, of: string, max: number): boolean => (counts.get(of) ?? 0) < max

const increment = (counts: Map<string, number>, of: string) => counts.set(of, (counts.get(of) ?? 0) + 1)
