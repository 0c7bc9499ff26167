// A webhook event: a fact about a payment, written down once with the very bytes that are signed and sent. A
// test event tells of none.

import { newId } from '../id.ts'
import type { Mode } from '../mode.ts'

export const eventTypes = [
  'payment.paid',
  'payment.failed',
  'payment.expired',
  'payment.cancelled',
  'payment.challenged',
  'webhook.test',
] as const
export type EventType = (typeof eventTypes)[number]

export const deliveryStatuses = ['pending', 'delivered', 'permanently_failed', 'not_configured'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export type WebhookEvent = {
  tenantId: string
  id: string
  paymentId: string | null
  /** The number of the payment's transition that it tells; 0 where it tells of none. */
  number: number
  mode: Mode
  type: EventType
  body: string
  createdAt: Date
}

type Subject = { tenantId: string; id: string; transitionCount: number; mode: Mode }
type ToldStatus = 'paid' | 'failed' | 'expired' | 'cancelled' | 'challenged'

/** data: the payment's public shape as it stood at the event. */
export function webhookEvent(
  payment: Subject,
  data: object,
  status: ToldStatus,
  previousStatus: string,
  at: Date,
): WebhookEvent {
  const id = newId()
  const type = `payment.${status}` as const
  return {
    tenantId: payment.tenantId,
    id,
    paymentId: payment.id,
    number: payment.transitionCount,
    mode: payment.mode,
    type,
    body: JSON.stringify({
      id,
      type,
      created_at: at.toISOString(),
      mode: payment.mode,
      previous_status: previousStatus,
      data,
    }),
    createdAt: at,
  }
}

/** What a tenant sends itself to see whether its receiver listens and verifies. */
export function testEvent(tenantId: string, at: Date): WebhookEvent {
  const id = newId()
  const type = 'webhook.test'
  const mode = 'test'
  return {
    tenantId,
    id,
    paymentId: null,
    number: 0,
    mode,
    type,
    body: JSON.stringify({
      id,
      type,
      created_at: at.toISOString(),
      mode,
      previous_status: null,
      data: { message: 'A test of this callback URL; it tells of no payment.' },
    }),
    createdAt: at,
  }
}
