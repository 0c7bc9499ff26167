import { Counter, Gauge, Histogram } from 'prom-client'

export const jobMetrics = {
  seconds: new Histogram({
    name: 'gapura_job_duration_seconds',
    help: 'Duration of jobs in seconds. outcome: done, or failed (the job is retried)',
    labelNames: ['task', 'outcome'] as const,
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
    registers: [],
  }),
  upkeepFailures: new Counter({
    name: 'gapura_upkeep_failures_total',
    help: "Failed runs of the worker's background loops. The label part is the loop: checks, refunds, beat (heartbeat), unheld_jobs (reserved jobs that no worker received), callbacks, unreadable_callbacks, webhooks, additional_webhooks",
    labelNames: ['part'] as const,
    registers: [],
  }),
  partitionsMaintained: new Gauge({
    name: 'gapura_partitions_kept_timestamp_seconds',
    help: "Time of the last successful partition maintenance by this worker, or the worker's start time before the first one",
    registers: [],
  }),
}
