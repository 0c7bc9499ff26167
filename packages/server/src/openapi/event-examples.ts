// Examples of the events sent to callback URLs. Events of the example payment are in the order of its life cycle.

import type { EventType } from '../webhooks/event.ts'
import { at, exampleId, examplePayment, paidPayment } from './example-parts.ts'

const occasion = { id: exampleId(2), created_at: '2026-11-20T03:09:12.345Z', mode: 'test' }

const told = (type: EventType, previous_status: string, data: object) => ({
  id: occasion.id,
  type,
  created_at: occasion.created_at,
  mode: occasion.mode,
  previous_status,
  data: { ...examplePayment, updated_at: occasion.created_at, ...data },
})

const moved = (type: EventType, entry_type: string, amount: number, reason: string) => ({
  ...told(type, 'paid', paidPayment),
  ledger_entry: { entry_type, amount, reason },
})

export const eventExamples: Record<EventType, object> = {
  'payment.paid': told('payment.paid', 'pending', paidPayment),
  'payment.failed': told('payment.failed', 'pending', {
    status: 'failed',
    failure_reason: 'denied by the bank',
  }),
  'payment.expired': told('payment.expired', 'pending', { status: 'expired' }),
  'payment.cancelled': told('payment.cancelled', 'pending', { status: 'cancelled' }),
  'payment.challenged': told('payment.challenged', 'pending', {
    status: 'challenged',
    failure_reason: 'amount mismatch: expected 10000000, received 9900000',
  }),
  'payment.paid_again': moved(
    'payment.paid_again',
    'credit',
    10_000_000,
    `further money for payment ${examplePayment.payment_code} accepted`,
  ),
  'payment.reversed': moved(
    'payment.reversed',
    'debit',
    10_000_000,
    `payment ${examplePayment.payment_code} reversed by the provider: refund`,
  ),
  'payment.refunded': moved(
    'payment.refunded',
    'debit',
    2_000_000,
    `money of payment ${examplePayment.payment_code} given back: agreed with the payer by phone`,
  ),
  'webhook.test': {
    id: occasion.id,
    type: 'webhook.test',
    created_at: at,
    mode: 'test',
    previous_status: null,
    data: { message: 'A test of this callback URL; it concerns no payment.' },
  },
}
