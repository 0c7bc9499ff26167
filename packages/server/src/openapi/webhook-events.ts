// The webhooks of the API document: the body for each type of event, and how to respond. The event types come from the
// code, and a test checks sent events against these schemas.

import { z } from 'zod'
import { createSchema } from 'zod-openapi'
import { shownStatuses } from '../payments/payment.ts'
import { paymentByMethod } from '../payments/payment-view.ts'
import { modes } from '../values/mode.ts'
import { type EventType, eventTypes } from '../webhooks/event.ts'
import { eventExamples } from './event-examples.ts'
import { signedExample } from './signed-example.ts'

type Json = Record<string, unknown>

const occasion = {
  id: z.uuid().meta({
    description:
      'Event ID, equal to X-Service-Event-Id and the same for every attempt. Store it to process each event only once',
    example: '01990000-0000-7000-8000-000000000002',
  }),
  created_at: z.iso
    .datetime()
    .meta({ description: 'Time when the event happened', example: '2026-11-20T03:09:12.345Z' }),
  mode: z.enum(modes).meta({ description: 'Mode of the payment; `test` for a `webhook.test` event' }),
}
const previousStatus = z
  .enum(shownStatuses)
  .meta({ description: 'Status of the payment before the event', example: 'pending' })

const paid = {
  status: z.literal('paid'),
  paid_at: z.iso.datetime(),
  amount_paid: z.int(),
}

/** Returns the schema of an event that contains the payment as it was at the time of the event. */
const paymentEvent = (type: EventType, told: z.ZodRawShape) =>
  z.object({
    ...occasion,
    type: z.literal(type),
    previous_status: previousStatus,
    data: paymentByMethod.and(z.object(told)),
  })

/**
 * Returns the schema of an event that changes the merchant's balance while the payment stays paid. The ledger entry in
 * the event has the amount.
 */
const movementEvent = (type: EventType, entryType: 'credit' | 'debit') =>
  paymentEvent(type, paid).extend({
    ledger_entry: z.object({
      entry_type: z.literal(entryType),
      amount: z.int().meta({ description: 'Amount of the ledger entry, in cents', example: 10_000_000 }),
      reason: z.string(),
    }),
  })

const kinds: Record<EventType, { name: string; summary: string; description: string; schema: z.ZodType }> = {
  'payment.paid': {
    name: 'PaymentPaidEvent',
    summary: 'A payment was paid',
    description:
      'The money was received and credited to your balance. Deliver the goods. `data.amount_paid` can be more than `data.amount`. A failed, expired or cancelled payment also becomes paid if its money is received later.',
    schema: paymentEvent('payment.paid', paid),
  },
  'payment.failed': {
    name: 'PaymentFailedEvent',
    summary: 'A payment failed',
    description:
      '`data.failure_reason` contains the reason. To try again, create a new payment with a new idempotency key.',
    schema: paymentEvent('payment.failed', { status: z.literal('failed') }),
  },
  'payment.expired': {
    name: 'PaymentExpiredEvent',
    summary: 'A payment expired',
    description: 'The payer did not pay before `data.expires_at`.',
    schema: paymentEvent('payment.expired', { status: z.literal('expired') }),
  },
  'payment.cancelled': {
    name: 'PaymentCancelledEvent',
    summary: 'A payment was cancelled',
    description:
      'You cancelled the payment with `POST /v1/payments/{payment_id}/cancel`, or it was cancelled at the provider.',
    schema: paymentEvent('payment.cancelled', { status: z.literal('cancelled') }),
  },
  'payment.challenged': {
    name: 'PaymentChallengedEvent',
    summary: 'A payment was challenged',
    description:
      'The provider suspects fraud, or the amount received is less than the amount due. `data.failure_reason` contains the reason. Do not deliver yet. The Owner accepts or rejects the payment, and you then receive `payment.paid` or `payment.failed`.',
    schema: paymentEvent('payment.challenged', { status: z.literal('challenged') }),
  },
  'payment.paid_again': {
    name: 'PaymentPaidAgainEvent',
    summary: 'A paid payment was paid again',
    description:
      'The payer paid more than once, and the Owner accepted the additional money. `ledger_entry` contains the additional credit.',
    schema: movementEvent('payment.paid_again', 'credit'),
  },
  'payment.reversed': {
    name: 'PaymentReversedEvent',
    summary: 'A payment was reversed',
    description:
      'The provider took the money back, for example after a chargeback or to correct an error. `ledger_entry` contains the debit. The status of the payment stays `paid`.',
    schema: movementEvent('payment.reversed', 'debit'),
  },
  'payment.refunded': {
    name: 'PaymentRefundedEvent',
    summary: 'A payment was refunded',
    description:
      'The payer received a full or partial refund, or the Owner accepted a chargeback. `ledger_entry` contains the debit. The status of the payment stays `paid`.',
    schema: movementEvent('payment.refunded', 'debit'),
  },
  'webhook.test': {
    name: 'WebhookTestEvent',
    summary: 'A test webhook was requested',
    description:
      'Sent by `POST /v1/account/webhook/test`. It does not concern a payment: verify the signature and return a 2xx status.',
    schema: z.object({
      ...occasion,
      type: z.literal('webhook.test'),
      previous_status: z.null(),
      data: z.object({ message: z.string() }),
    }),
  },
}

const delivery =
  'Return any 2xx status within ten seconds, and process the event afterwards. Any other response is a failure, including a redirect. A failed delivery is retried ten seconds after the attempt ended, up to four attempts in total. After that, request another attempt with `POST /v1/webhook-deliveries/{event_id}/redeliver`. Events of one payment are delivered in the order in which they happened, unless an earlier delivery failed.'

const signature =
  'Verify a signature against the raw body, before you parse the JSON. You can use either of the two signatures.'

const signed = signedExample(eventExamples['payment.paid']).headers

const header = (name: string, description: string): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
  example: signed[name.toLowerCase()],
})

const headers: Record<string, Json> = {
  ServiceEventId: header('X-Service-Event-Id', 'Event ID, the same for every attempt and redelivery'),
  ServiceEventType: header('X-Service-Event-Type', 'Event type, equal to `type` in the body'),
  ServiceSignature: header(
    'X-Service-Signature',
    '`sha256=` followed by the hex-encoded HMAC-SHA256 of the body. The key is the whole secret string as bytes',
  ),
  WebhookId: header('webhook-id', 'Standard Webhooks: event ID'),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'Standard Webhooks: time of this attempt, as a Unix timestamp in seconds',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Standard Webhooks: `v1,` followed by the base64-encoded HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. The key is the decoded secret. During a rotation, the header has one signature per active secret, separated by spaces',
  ),
}

export type WebhookPart = {
  webhooks: Record<string, Json>
  schemas: Record<string, Json>
  parameters: Record<string, Json>
}

export function webhookPart(): WebhookPart {
  const union = z
    .discriminatedUnion(
      'type',
      eventTypes.map(type => kinds[type].schema.meta({ id: kinds[type].name })) as never,
    )
    .meta({
      id: 'WebhookEvent',
      description: 'The body of every webhook. `type` selects the event',
    })
  const { components } = createSchema(union, { io: 'output', openapiVersion: '3.1.0' })
  return {
    webhooks: Object.fromEntries(eventTypes.map(type => [type, { post: webhookOf(type) }])),
    schemas: components as Record<string, Json>,
    parameters: headers,
  }
}

function webhookOf(type: EventType): Json {
  const { name, summary, description } = kinds[type]
  return {
    operationId: name.replace(/^./, first => first.toLowerCase()),
    tags: ['Webhooks'],
    summary,
    description: `${description}\n\n${delivery}\n\n${signature}`,
    security: [],
    parameters: Object.keys(headers).map(each => ({ $ref: `#/components/parameters/${each}` })),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${name}` },
          example: eventExamples[type],
        },
      },
    },
    responses: {
      '2XX': {
        description:
          'The event was delivered. The service stores the first 4 KiB of the response body, so that you can inspect it.',
      },
      default: { description: 'The attempt failed.' },
    },
  }
}
