import { Counter, Gauge, Histogram } from 'prom-client'

export const jobMetrics = {
  seconds: new Histogram({
    name: 'gapura_job_duration_seconds',
    help: 'How long jobs took. outcome: done, or failed and tried again',
    labelNames: ['task', 'outcome'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [],
  }),
  upkeepFailures: new Counter({
    name: 'gapura_upkeep_failures_total',
    help: 'Rounds of what a worker does all the time that failed. part: checks, beat, callbacks, webhooks',
    labelNames: ['part'] as const,
    registers: [],
  }),
  partitionsKept: new Gauge({
    name: 'gapura_partitions_kept_timestamp_seconds',
    help: 'When this worker last saw to the partitions of both logs without a fault; 0: not yet',
    registers: [],
  }),
}
