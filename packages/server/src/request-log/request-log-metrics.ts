import { Counter } from 'prom-client'

export const requestLogMetrics = {
  dropped: new Counter({
    name: 'gapura_request_log_dropped_total',
    help: 'Requests that were not written to the request log. The label why contains the reason: full, tenant_full, rate_limited, frequent_read or failed',
    labelNames: ['why'] as const,
    registers: [],
  }),
}
