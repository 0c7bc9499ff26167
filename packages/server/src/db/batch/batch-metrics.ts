import { Histogram } from 'prom-client'

export const batchMetrics = {
  size: new Histogram({
    name: 'gapura_batch_size',
    help: 'Number of calls in one batch of database reads or writes',
    labelNames: ['batch'] as const,
    buckets: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000],
    registers: [],
  }),
}
