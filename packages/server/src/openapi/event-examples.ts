// Example events sent to callback URLs. The example payment's events are listed in the order of its life cycle.

import type { WebhookEventType } from '../webhooks/event-type.ts'
import { at, exampleId, examplePayment, paidPayment } from './example-parts.ts'
import { exampleRefund } from './refund-examples.ts'

const occasion = { id: exampleId(2), created_at: '2026-11-20T03:09:12.345Z', mode: 'test' }

const told = (type: WebhookEventType, previous_status: string, data: object) => ({
  id: occasion.id,
  type,
  created_at: occasion.created_at,
  mode: occasion.mode,
  previous_status,
  data: { ...examplePayment, updated_at: occasion.created_at, ...data },
})

const moved = (
  type: WebhookEventType,
  entry_type: string,
  amount: number,
  reference_id: string,
  reason: string,
  more: { data?: object; refund?: object } = {},
) => ({
  ...told(type, 'paid', { ...paidPayment, ...more.data }),
  ...(more.refund && { refund: more.refund }),
  ledger_entry: { entry_type, amount, reference_id, reason },
})

const { payment_code } = examplePayment
const refundReference = `${payment_code}-R1`

const succeededRefund = {
  ...exampleRefund,
  status: 'succeeded',
  updated_at: occasion.created_at,
  succeeded_at: occasion.created_at,
}

export const eventExamples: Record<WebhookEventType, object> = {
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
    payment_code,
    `further money for payment ${payment_code} accepted`,
  ),
  'payment.reversed': moved(
    'payment.reversed',
    'debit',
    10_000_000,
    payment_code,
    `payment ${payment_code} reversed by the provider: refund`,
  ),
  'payment.refunded': moved(
    'payment.refunded',
    'debit',
    2_000_000,
    refundReference,
    `refund ${refundReference} requested: one book was missing`,
    { data: { ...paidPayment, amount_refunded: 2_000_000 }, refund: succeededRefund },
  ),
  'refund.failed': moved(
    'refund.failed',
    'credit',
    2_000_000,
    refundReference,
    `refund ${refundReference} failed: the bank account was closed`,
    { refund: { ...exampleRefund, status: 'failed', failure_reason: 'the bank account was closed' } },
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
