// A webhook event: a fact about a payment, written down once with the very bytes that are signed and sent. A
// test event tells of none.

import { newId } from '../id.ts'
import type { Mode } from '../mode.ts'
import { type Cents, toJsonNumber } from '../money.ts'

export const eventTypes = [
  'payment.paid',
  'payment.failed',
  'payment.expired',
  'payment.cancelled',
  'payment.challenged',
  'payment.paid_again',
  'payment.reversed',
  'payment.refunded',
  'webhook.test',
] as const
export type EventType = (typeof eventTypes)[number]
export type PaymentEventType = Exclude<EventType, 'webhook.test'>

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
type Movement = { entryType: 'credit' | 'debit'; amount: Cents; reason: string }

/**
 * data: the payment's public shape as it stood at the event. movement: what the event did to the balance; a
 * receiver cannot see it from a payment that was paid before and is paid still.
 */
export function webhookEvent(
  payment: Subject,
  data: object,
  type: PaymentEventType,
  previousStatus: string,
  at: Date,
  movement: Movement | undefined,
): WebhookEvent {
  const id = newId()
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
      ...(movement && {
        ledger_entry: {
          entry_type: movement.entryType,
          amount: toJsonNumber(movement.amount),
          reason: movement.reason,
        },
      }),
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
