// What GET /metrics tells of this process. Most metrics are values of their room, counted where things happen, however
// many parts of the process count them; here they are gathered.

import { type Metric, Registry } from 'prom-client'
import { batchMetrics } from '../batch-metrics.ts'
import { callbackMetrics } from '../callbacks/callback-metrics.ts'
import { databaseMetrics } from '../db/database-metrics.ts'
import { httpMetrics } from '../http/http-metrics.ts'
import { jobMetrics } from '../jobs/job-metrics.ts'
import { ledgerMetrics } from '../ledger/ledger-metrics.ts'
import { paymentMetrics } from '../payments/payment-metrics.ts'
import { webhookMetrics } from '../webhooks/webhook-metrics.ts'

const ofRooms: Record<string, Metric>[] = [
  httpMetrics,
  paymentMetrics,
  callbackMetrics,
  webhookMetrics,
  ledgerMetrics,
  jobMetrics,
  databaseMetrics,
  batchMetrics,
]

export function newRegistry(): Registry {
  const registry = new Registry()
  for (const metric of ofRooms.flatMap(metrics => Object.values(metrics))) registry.registerMetric(metric)
  return registry
}
