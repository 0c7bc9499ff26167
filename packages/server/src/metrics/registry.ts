// This process's metrics for GET /metrics. Most metrics are defined in the module that updates them. This file
// collects them all in one registry.

import { type Metric, Registry } from 'prom-client'
import { callbackMetrics } from '../callbacks/callback-metrics.ts'
import { batchMetrics } from '../db/batch/batch-metrics.ts'
import { databaseMetrics } from '../db/database-metrics.ts'
import { httpMetrics } from '../http/http-metrics.ts'
import { jobMetrics } from '../jobs/job-metrics.ts'
import { ledgerMetrics } from '../ledger/ledger-metrics.ts'
import { paymentMetrics } from '../payments/record/payment-metrics.ts'
import { requestLogMetrics } from '../request-log/request-log-metrics.ts'
import { webhookMetrics } from '../webhooks/delivery/webhook-metrics.ts'

export type { Registry }

const metricsOfModules: Record<string, Metric>[] = [
  httpMetrics,
  paymentMetrics,
  callbackMetrics,
  webhookMetrics,
  ledgerMetrics,
  jobMetrics,
  databaseMetrics,
  batchMetrics,
  requestLogMetrics,
]

export function newRegistry(): Registry {
  const registry = new Registry()
  for (const metric of metricsOfModules.flatMap(metrics => Object.values(metrics)))
    registry.registerMetric(metric)
  return registry
}
