import { Counter } from 'prom-client'

export const paymentMetrics = {
  transitions: new Counter({
    name: 'gapura_payment_transitions_total',
    help: 'Committed changes of payment statuses. The label to contains the new status, which can be an internal status of Gapura',
    labelNames: ['to', 'mode'] as const,
    registers: [],
  }),
}
