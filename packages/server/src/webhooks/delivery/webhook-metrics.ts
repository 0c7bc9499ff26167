import { Counter, Histogram } from 'prom-client'

/**
 * The possible results of a webhook delivery attempt: the HTTP status class, or the reason why there was no
 * response.
 */
export const attemptClasses = [
  '2xx',
  '3xx',
  '4xx',
  '5xx',
  'timeout',
  'connection',
  'refused_address',
] as const
export type AttemptClass = (typeof attemptClasses)[number]

export const webhookMetrics = {
  attempts: new Counter({
    name: 'gapura_webhook_attempts_total',
    help: `Webhook delivery attempts by class (${attemptClasses.join(', ')})`,
    labelNames: ['class'] as const,
    registers: [],
  }),
  seconds: new Histogram({
    name: 'gapura_webhook_attempt_duration_seconds',
    help: 'Duration of webhook delivery attempts, including failed ones',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
    registers: [],
  }),
  firstDelay: new Histogram({
    name: 'gapura_webhook_first_attempt_delay_seconds',
    help: 'Time from the creation of a webhook event to the start of its first delivery attempt',
    buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300],
    registers: [],
  }),
}
