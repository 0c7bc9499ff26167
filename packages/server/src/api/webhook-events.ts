// The webhooks of the API document: the body for each type of event, and how to respond. The event types come from the
// code, and a test checks sent events against these schemas.

import { z } from 'zod'
import { createSchema } from 'zod-openapi'
import { modes } from '../mode.ts'
import { shownStatuses } from '../payments/payment.ts'
import { paymentByMethod } from '../payments/payment-view.ts'
import { type EventType, eventTypes } from '../webhooks/event.ts'
import { eventExamples } from './event-examples.ts'
import { signedExample } from './signed-example.ts'

type Json = Record<string, unknown>

const occasion = {
  id: z.uuid().meta({
    description:
      'Equal to X-Service-Event-Id, and the same on every attempt: remember it to do nothing twice',
    example: '01990000-0000-7000-8000-000000000002',
  }),
  created_at: z.iso.datetime().meta({ description: 'When it happened', example: '2026-11-20T03:09:12.345Z' }),
  mode: z.enum(modes).meta({ description: 'Of the payment; a test event is `test`' }),
}
const previousStatus = z
  .enum(shownStatuses)
  .meta({ description: "The payment's status before", example: 'pending' })

const paid = {
  status: z.literal('paid'),
  paid_at: z.iso.datetime(),
  amount_paid: z.int(),
}

/** The payment as it was at the time of the event. */
const paymentEvent = (type: EventType, told: z.ZodRawShape) =>
  z.object({
    ...occasion,
    type: z.literal(type),
    previous_status: previousStatus,
    data: paymentByMethod.and(z.object(told)),
  })

/** The payment stays paid; the ledger entry has the amount by which the balance changed. */
const movementEvent = (type: EventType, entryType: 'credit' | 'debit') =>
  paymentEvent(type, paid).extend({
    ledger_entry: z.object({
      entry_type: z.literal(entryType),
      amount: z.int().meta({ description: 'Cents', example: 10_000_000 }),
      reason: z.string(),
    }),
  })

const kinds: Record<EventType, { name: string; summary: string; description: string; schema: z.ZodType }> = {
  'payment.paid': {
    name: 'PaymentPaidEvent',
    summary: 'A payment was paid',
    description:
      'The money arrived and the balance was credited: deliver. `data.amount_paid` can be more than `data.amount`. It also comes for a payment that had failed, expired or been cancelled, if its money arrives all the same.',
    schema: paymentEvent('payment.paid', paid),
  },
  'payment.failed': {
    name: 'PaymentFailedEvent',
    summary: 'A payment failed',
    description: '`data.failure_reason` says why. Create another payment, under another key, to try again.',
    schema: paymentEvent('payment.failed', { status: z.literal('failed') }),
  },
  'payment.expired': {
    name: 'PaymentExpiredEvent',
    summary: 'A payment expired',
    description: 'The payer did not pay until `data.expires_at`.',
    schema: paymentEvent('payment.expired', { status: z.literal('expired') }),
  },
  'payment.cancelled': {
    name: 'PaymentCancelledEvent',
    summary: 'A payment was cancelled',
    description: 'By you, with `POST /v1/payments/{payment_id}/cancel`, or at the provider.',
    schema: paymentEvent('payment.cancelled', { status: z.literal('cancelled') }),
  },
  'payment.challenged': {
    name: 'PaymentChallengedEvent',
    summary: 'A payment is in doubt',
    description:
      'The provider doubts it, or less than the amount arrived; `data.failure_reason` says which. Do not deliver: the Owner accepts or rejects it, and `payment.paid` or `payment.failed` follows.',
    schema: paymentEvent('payment.challenged', { status: z.literal('challenged') }),
  },
  'payment.paid_again': {
    name: 'PaymentPaidAgainEvent',
    summary: 'More money came for a paid payment',
    description:
      'The payer paid twice, and the Owner accepted the second sum: `ledger_entry` says what was credited besides.',
    schema: movementEvent('payment.paid_again', 'credit'),
  },
  'payment.reversed': {
    name: 'PaymentReversedEvent',
    summary: 'The provider took a payment back',
    description:
      'A charge-back or a correction by the provider: `ledger_entry` says what was debited. The payment stays `paid`, since it was.',
    schema: movementEvent('payment.reversed', 'debit'),
  },
  'payment.refunded': {
    name: 'PaymentRefundedEvent',
    summary: 'Money of a payment was given back',
    description:
      'The Owner gave money back to the payer, all of it or what was too much: `ledger_entry` says what was debited.',
    schema: movementEvent('payment.refunded', 'debit'),
  },
  'webhook.test': {
    name: 'WebhookTestEvent',
    summary: 'A test of the callback URL',
    description:
      'Sent by `POST /v1/account/webhook/test`. It tells of no payment: verify it, answer it, and no more.',
    schema: z.object({
      ...occasion,
      type: z.literal('webhook.test'),
      previous_status: z.null(),
      data: z.object({ message: z.string() }),
    }),
  },
}

const delivery =
  'Answer with any 2xx status within ten seconds, and work afterwards. Everything else is a failure, a redirect too: the event is sent again ten seconds after the failed attempt ended, four times in all, then no more until you ask for it (`POST /v1/webhook-deliveries/{event_id}/redeliver`). Events of one payment come in the order of their happening, unless an earlier one failed.'

const signature =
  'Verify the signature over the body as it arrived, before any JSON parser touches it; either one will do.'

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
  ServiceEventId: header('X-Service-Event-Id', 'The same on every attempt and every redelivery'),
  ServiceEventType: header('X-Service-Event-Type', 'Equal to `type`'),
  ServiceSignature: header(
    'X-Service-Signature',
    '`sha256=` and the hex HMAC-SHA256 of the body, keyed with the bytes of the whole secret',
  ),
  WebhookId: header('webhook-id', 'Standard Webhooks: the id of the event'),
  WebhookTimestamp: header(
    'webhook-timestamp',
    'Standard Webhooks: when this attempt was sent, in seconds since 1970',
  ),
  WebhookSignature: header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of `<webhook-id>.<webhook-timestamp>.<body>`, keyed with the decoded secret; after a rotation one for each secret that signs, with a space between',
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
      description: 'Every body that is sent to a callback URL; `type` tells which',
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
        description: 'You have it. The body is not read beyond 4 KiB, which are kept for you to look at.',
      },
      default: { description: 'A failed attempt.' },
    },
  }
}
