// A webhook event notifies the merchant of a change to a payment. Each event is stored once, with the exact bytes that
// are signed and sent. A test event has no payment.

import { newId } from '../values/id.ts'
import type { Mode } from '../values/mode.ts'
import { type Cents, toJsonNumber } from '../values/money.ts'
import type { PaymentEventType, WebhookEventType } from './event-type.ts'

export const deliveryStatuses = ['pending', 'delivered', 'permanently_failed', 'not_configured'] as const
export type DeliveryStatus = (typeof deliveryStatuses)[number]

export type WebhookEvent = {
  tenantId: string
  id: string
  paymentId: string | null
  /**
   * The sequence number of the payment's status transition that the webhook event reports. If the event does
   * not report a status transition, the number is 0.
   */
  number: number
  mode: Mode
  type: WebhookEventType
  body: string
  createdAt: Date
}

type Subject = { tenantId: string; id: string; transitionCount: number; mode: Mode }
type Movement = { entryType: 'credit' | 'debit'; amount: Cents; referenceId: string; reason: string }

/**
 * Creates a webhook event about a payment. `data` is the payment after the change, and `refund` is the refund
 * that caused the event, both as the API returns them. `movement` is the change to the merchant's balance,
 * which is the reason for the event if the payment's status did not change.
 */
export function webhookEvent(
  payment: Subject,
  data: object,
  type: PaymentEventType,
  previousStatus: string,
  at: Date,
  movement: Movement | undefined,
  refund?: object,
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
      ...(refund && { refund }),
      ...(movement && {
        ledger_entry: {
          entry_type: movement.entryType,
          amount: toJsonNumber(movement.amount),
          reference_id: movement.referenceId,
          reason: movement.reason,
        },
      }),
    }),
    createdAt: at,
  }
}

/**
 * Creates a webhook test event, with which a tenant can check that its receiver is reachable and accepts the
 * signature.
 */
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
      data: { message: 'This event tests your callback URL. It is not about a payment.' },
    }),
    createdAt: at,
  }
}
