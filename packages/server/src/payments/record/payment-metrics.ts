import { Counter } from 'prom-client'

export const paymentMetrics = {
  transitions: new Counter({
    name: 'gapura_payment_transitions_total',
    help: 'Committed status changes of payments. to: new status, including internal statuses',
    labelNames: ['to', 'mode'] as const,
    registers: [],
  }),
}
