// Prometheus metrics for requests to providers. The provider account is a label, because one account can fail while
// another at the same provider works. Labels contain only ids and codes, no amounts or merchants.

import { Counter, Gauge, Histogram, type Registry } from 'prom-client'

/**
 * The histogram buckets for request durations, in seconds. A request times out after 10 s. Requests that first
 * fetch a token can take 20 s.
 */
const DURATION_BUCKETS_S = [0.05, 0.1, 0.25, 0.5, 1, 2, 3, 5, 7.5, 10, 20]

export const providerMetrics = (registry: Registry) => ({
  requests: new Counter({
    name: 'gapura_provider_requests_total',
    help: 'Number of requests to providers by outcome: `answered`, `untold` (a response without a usable status), or the kind of error',
    labelNames: ['provider', 'account', 'operation', 'outcome'] as const,
    registers: [registry],
  }),
  seconds: new Histogram({
    name: 'gapura_provider_request_duration_seconds',
    help: 'Duration of requests to providers, including failed ones',
    labelNames: ['provider', 'account', 'operation'] as const,
    buckets: DURATION_BUCKETS_S,
    registers: [registry],
  }),
  circuitOpen: new Gauge({
    name: 'gapura_provider_circuit_open',
    help: '1 if routing in this process avoids the account because its circuit breaker is open or half-open, otherwise 0',
    labelNames: ['provider', 'account'] as const,
    registers: [registry],
  }),
})
