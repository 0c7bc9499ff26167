// In the metrics, a request is labeled with the route that it matched, not with its path. Otherwise, clients could
// create any number of time series by calling arbitrary paths.

import { Counter, Gauge, Histogram } from 'prom-client'

/**
 * The buckets of the histogram of request durations. The smallest buckets are for cached responses, and the
 * largest are for charges that wait until the provider timeout.
 */
const DURATION_BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

export const httpMetrics = {
  requests: new Histogram({
    name: 'gapura_http_request_duration_seconds',
    help: 'Time until the response to a request was created. status: the class of the status code, such as 2xx',
    labelNames: ['method', 'route', 'status'] as const,
    buckets: DURATION_BUCKETS_S,
    registers: [],
  }),
  failures: new Counter({
    name: 'gapura_http_failures_total',
    help: 'Error responses. code: the error code in the response',
    labelNames: ['route', 'code'] as const,
    registers: [],
  }),
  refused: new Counter({
    name: 'gapura_http_refused_total',
    help: 'Requests rejected by overload protection. The label from is the sender: providers, merchants, or strangers (requests without a credential). The label why is the exceeded limit or another reason. Limits of the sender: own. Limits of the process: requests, bytes. Other reasons: body (too many unfinished bodies), pipelined (too many requests on one connection), database (no response)',
    labelNames: ['from', 'why'] as const,
    registers: [],
  }),
  shares: new Histogram({
    name: 'gapura_http_request_share_seconds',
    help: 'Duration of requests that called a provider. The label share divides it into the time spent waiting for the provider (provider) and the remaining time (own)',
    labelNames: ['route', 'share'] as const,
    buckets: DURATION_BUCKETS_S,
    registers: [],
  }),
  certificateExpires: new Gauge({
    name: 'gapura_tls_certificate_expires_timestamp_seconds',
    help: 'Time at which the TLS certificate in use expires; 0 if this process does not terminate TLS',
    registers: [],
  }),
}

const usedMethods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const methodOf = (method: string): string => (usedMethods.has(method) ? method : 'other')

const routeOf = (route: string | undefined): string => route || 'none'

export function countFailure(route: string | undefined, code: string): void {
  httpMetrics.failures.inc({ route: routeOf(route), code })
}

/**
 * Records a request in the metrics. `route` is undefined if the request matched no route. `ms` is the
 * duration of the request in milliseconds, and `providerMs` is the part of it in which the request waited for
 * providers.
 */
export function observeRequest(
  request: { method: string; route: string | undefined; status: number },
  ms: number,
  providerMs: number,
): void {
  const route = routeOf(request.route)
  const status = `${Math.floor(request.status / 100)}xx`
  httpMetrics.requests.observe({ method: methodOf(request.method), route, status }, ms / 1_000)
  if (providerMs === 0) return
  httpMetrics.shares.observe({ route, share: 'provider' }, providerMs / 1_000)
  httpMetrics.shares.observe({ route, share: 'own' }, Math.max(ms - providerMs, 0) / 1_000)
}
