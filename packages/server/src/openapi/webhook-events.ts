// The API document's webhooks: a body for each type of event, and the receiver's response. A test compares sent
// events with these schemas.

import { z } from 'zod'
import { createSchema } from 'zod-openapi'
import { shownStatuses } from '../payments/payment.ts'
import { anyPayment } from '../payments/payment-view.ts'
import { refundView } from '../payments/record/refund-view.ts'
import { modes } from '../values/mode.ts'
import { eventTypes, type WebhookEventType } from '../webhooks/event-type.ts'
import { eventExamples } from './event-examples.ts'
import { signedExample } from './signed-example.ts'

type Json = Record<string, unknown>

const occasion = {
  id: z.uuid().meta({
    description:
      'Event ID, equal to X-Service-Event-Id and the same for every attempt. Store the ID to process each event only once',
    example: '01990000-0000-7000-8000-000000000002',
  }),
  created_at: z.iso
    .datetime()
    .meta({ description: 'Time when the event happened', example: '2026-11-20T03:09:12.345Z' }),
  mode: z.enum(modes).meta({ description: 'Payment mode; `test` for a `webhook.test` event' }),
}
const previousStatus = z
  .enum(shownStatuses)
  .meta({ description: 'Payment status before the event', example: 'pending' })

const paid = {
  status: z.literal('paid'),
  paid_at: z.iso.datetime(),
  amount_paid: z.int(),
}

/**
 * Returns the schema of an event that contains the payment. The schema repeats the alternatives of the schema
 * `Payment` instead of referring to it. With a reference, the Java generator would create a subclass that does not
 * compile.
 */
const paymentEvent = (type: WebhookEventType, told: z.ZodRawShape) =>
  z.object({
    ...occasion,
    type: z.literal(type),
    previous_status: previousStatus,
    data: anyPayment.and(z.object(told)),
  })

/**
 * Returns the schema of an event that reports a change of the merchant's balance while the payment stays paid.
 * The event's ledger entry contains the amount of this change.
 */
const movementEvent = (type: WebhookEventType, entryType: 'credit' | 'debit') =>
  paymentEvent(type, paid).extend({
    ledger_entry: z
      .object({
        entry_type: z.literal(entryType),
        amount: z.int().meta({ description: 'Ledger entry amount, in cents', example: 10_000_000 }),
        reference_id: z.string().meta({
          description:
            "Equal to `reference_id` of the entry in `GET /v1/payments/{payment_id}/ledger`. For a refund, this is the refund's reference",
          example: 'GP261120-7Q4M2ZK8XW-R1',
        }),
        reason: z.string(),
      })
      .meta({ description: 'The ledger entry for this money, without `id` and `balance_after`' }),
  })

/**
 * Returns the schema of an event about a refund. The event has no `refund` if the operator refunded unexpected money.
 */
const refundEventOf = (type: WebhookEventType, entryType: 'credit' | 'debit') =>
  movementEvent(type, entryType).extend({ refund: refundView.optional() })

const kinds: Record<
  WebhookEventType,
  { name: string; summary: string; description: string; schema: z.ZodType }
> = {
  'payment.paid': {
    name: 'PaymentPaidEvent',
    summary: 'A payment was paid',
    description:
      "The payment's money was received and credited to your balance. Before you deliver the goods, compare `data.amount_paid` with `data.amount`. It can be more, or less if the Owner accepted a partial payment. A failed, expired or cancelled payment also becomes paid if its money is received later.",
    schema: paymentEvent('payment.paid', paid),
  },
  'payment.failed': {
    name: 'PaymentFailedEvent',
    summary: 'A payment failed',
    description:
      'The provider reported the payment as failed, or the Owner rejected it. `data.failure_reason` contains the reason. To try again, create a new payment with a new idempotency key.',
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
      'The payment is on hold: the provider suspects fraud, or the amount received is less than the amount due. `data.failure_reason` contains the reason. Do not deliver the goods yet. The Owner accepts or rejects the payment, and you then receive `payment.paid` or `payment.failed`.',
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
      "The provider took back a paid payment's money, for example after a chargeback or to correct an error. `ledger_entry` contains the debit. The payment's status stays `paid`.",
    schema: refundEventOf('payment.reversed', 'debit'),
  },
  'payment.refunded': {
    name: 'PaymentRefundedEvent',
    summary: 'A payment was refunded',
    description:
      "A full or partial refund of a payment succeeded. `refund` contains the refund and `ledger_entry` its debit. The payment's status stays `paid`.",
    schema: refundEventOf('payment.refunded', 'debit'),
  },
  'refund.failed': {
    name: 'RefundFailedEvent',
    summary: 'A refund failed',
    description:
      'A refund or chargeback failed, so no money was returned to the payer. `refund.failure_reason` contains the reason. `ledger_entry` contains the credit that returns the debited amount to the balance.',
    schema: refundEventOf('refund.failed', 'credit'),
  },
  'webhook.test': {
    name: 'WebhookTestEvent',
    summary: 'A test webhook was requested',
    description:
      'A test event sent by `POST /v1/account/webhook/test`. The event does not concern a payment: verify the signature and return a 2xx status.',
    schema: z.object({
      ...occasion,
      type: z.literal('webhook.test'),
      previous_status: z.null().meta({
        description: 'Always null, because a test event concerns no payment',
        // The Java generator cannot translate `type: null` to a Java type, so the type is removed from the
        // schema.
        override: ({ jsonSchema }) => {
          delete jsonSchema.type
          jsonSchema.const = null
        },
      }),
      data: z.object({ message: z.string() }),
    }),
  },
}

const delivery =
  "Return any 2xx status within ten seconds, and process the event afterward. Any other response is a failure, including a redirect. A failed delivery to the callback URL is retried ten seconds after the attempt ended, up to four attempts in total. After that, request another attempt with `POST /v1/webhook-deliveries/{event_id}/redeliver`. The callback URL receives a payment's events in the order in which they happened, unless an earlier delivery failed. Additional webhook endpoints have a retry schedule you choose, and no guaranteed order."

const signature =
  'Verify a signature against the raw body before parsing the JSON. You can use either signature: the header `webhook-signature` or the header `X-Service-Signature`.'

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
  ServiceEventId: header(
    'X-Service-Event-Id',
    'Event ID. Every attempt and redelivery of the event has the same ID',
  ),
  ServiceEventType: header('X-Service-Event-Type', 'Type of the event, equal to `type` in the body'),
  ServiceSignature: header(
    'X-Service-Signature',
    'Webhook signature: `sha256=` followed by the hex-encoded HMAC-SHA256 of the body. The HMAC key is the bytes of the whole secret string, including its prefix',
  ),
  WebhookId: header('webhook-id', 'ID of the event, as defined by Standard Webhooks'),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'Time of this delivery attempt as a Unix timestamp in seconds, as defined by Standard Webhooks',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Webhook signature, as defined by Standard Webhooks: `v1,` followed by the base64-encoded HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`. The HMAC key is the decoded secret. During a rotation, the header has one signature per active secret, separated by spaces',
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

function webhookOf(type: WebhookEventType): Json {
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
          'The event was delivered. The service stores the first 4 KiB of your response body, and `GET /v1/webhook-deliveries/{event_id}` returns it.',
      },
      default: { description: 'The delivery attempt failed.' },
    },
  }
}
