import { Counter } from 'prom-client'

export const paymentMetrics = {
  transitions: new Counter({
    name: 'gapura_payment_transitions_total',
    help: 'Changes of payments, counted when they are committed. to: the status afterwards, internal ones included',
    labelNames: ['to', 'mode'] as const,
    registers: [],
  }),
}
