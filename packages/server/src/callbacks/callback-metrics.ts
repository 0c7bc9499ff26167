import { Counter, Histogram } from 'prom-client'

export const callbackMetrics = {
  received: new Counter({
    name: 'gapura_callbacks_received_total',
    help: 'Callbacks received for existing accounts. The label outcome is one of: kept (stored); unreadable (validly signed, but not acknowledged because it cannot be parsed); rejected (the signature or source address is invalid); answered (there is nothing to store)',
    labelNames: ['provider', 'outcome'] as const,
    registers: [],
  }),
  settled: new Counter({
    name: 'gapura_callbacks_settled_total',
    help: 'Processed callbacks. The label outcome is applied, repeated, refused, ignored, unmatched or unreadable',
    labelNames: ['outcome'] as const,
    registers: [],
  }),
  delay: new Histogram({
    name: 'gapura_callback_settling_delay_seconds',
    help: 'Time from receiving a callback to processing it',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600],
    registers: [],
  }),
}
