import { Counter, Histogram } from 'prom-client'

export const callbackMetrics = {
  received: new Counter({
    name: 'gapura_callbacks_received_total',
    help: 'Callbacks that came in for an account that exists. outcome: kept, unreadable (verified, not understood, not acknowledged), rejected (the signature or the source address), answered (nothing to keep)',
    labelNames: ['provider', 'outcome'] as const,
    registers: [],
  }),
  settled: new Counter({
    name: 'gapura_callbacks_settled_total',
    help: 'Kept callbacks that a worker settled. outcome: applied, repeated, refused, ignored, unmatched, unreadable',
    labelNames: ['outcome'] as const,
    registers: [],
  }),
  delay: new Histogram({
    name: 'gapura_callback_settling_delay_seconds',
    help: 'From the receipt of a callback until it was settled',
    buckets: [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300, 3_600],
    registers: [],
  }),
}
