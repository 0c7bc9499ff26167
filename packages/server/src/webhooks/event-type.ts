// The webhook event types. The input schemas contain these types, and forms in the browser use the same
// schemas.

export const eventTypes = [
  'payment.paid',
  'payment.failed',
  'payment.expired',
  'payment.cancelled',
  'payment.challenged',
  'payment.paid_again',
  'payment.reversed',
  'payment.refunded',
  'refund.failed',
  'webhook.test',
] as const
export type WebhookEventType = (typeof eventTypes)[number]
export type PaymentEventType = Exclude<WebhookEventType, 'webhook.test'>
