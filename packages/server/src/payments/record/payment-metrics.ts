import { Counter } from 'prom-client'

export const paymentMetrics = {
  transitions: new Counter({
    name: 'gapura_payment_transitions_total',
    help: 'Committed payment status changes. Label to: the new status, which can be an internal status',
    labelNames: ['to', 'mode'] as const,
    registers: [],
  }),
}
