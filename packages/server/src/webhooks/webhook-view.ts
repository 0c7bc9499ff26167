import { z } from 'zod'
import { modes } from '../mode.ts'
import type { Delivery } from './delivery.sql.ts'
import { deliveryStatuses, eventTypes } from './event.ts'

export const endpointView = z
  .strictObject({
    callback_url: z.string().nullable().meta({
      description: 'Where webhooks go; null: nowhere yet',
      example: 'https://shop.example.com/hooks/gapura',
    }),
    secret: z.string().meta({
      description: 'Verifies the signatures of webhooks',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    }),
    previous_secret_expires_at: z.iso
      .datetime()
      .nullable()
      .meta({ description: 'When the last of the previous secrets stops signing; null: none signs' }),
  })
  .meta({ id: 'WebhookEndpoint' })

export const deliveryView = z
  .strictObject({
    id: z.uuid().meta({ description: 'The X-Service-Event-Id' }),
    type: z.enum(eventTypes),
    payment_id: z.uuid().nullable().meta({ description: 'null: a test event' }),
    mode: z.enum(modes),
    status: z.enum(deliveryStatuses).meta({
      description:
        'pending: an attempt is due; delivered: the receiver answered 2xx; permanently_failed: four attempts failed; not_configured: there was no callback URL',
    }),
    next_attempt_at: z.iso.datetime().nullable().meta({ description: 'null: none is due' }),
    created_at: z.iso.datetime(),
    attempts: z.array(
      z.strictObject({
        number: z.int(),
        started_at: z.iso.datetime(),
        duration_ms: z.int(),
        response_status: z.int().nullable().meta({ description: 'null: the receiver did not answer' }),
        response_body: z.string().nullable().meta({ description: 'The first 4 KiB' }),
        error: z.string().nullable().meta({ description: 'Why there was no whole answer, in words' }),
      }),
    ),
  })
  .meta({ id: 'WebhookDelivery' })

/** Only for a single delivery: in a list, the bodies would make up most of the response. */
export const sentDeliveryView = deliveryView
  .extend({
    body: z.string().meta({
      description:
        'What is signed and sent, byte for byte and the same in every attempt: the text that a signature is verified over',
      example: '{"id":"01990000-0000-7000-8000-000000000002","type":"payment.paid"}',
    }),
  })
  .meta({ id: 'SentWebhookDelivery' })

export const viewDelivery = (delivery: Delivery): z.output<typeof deliveryView> => ({
  id: delivery.id,
  type: delivery.type,
  payment_id: delivery.paymentId,
  mode: delivery.mode,
  status: delivery.status,
  next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  created_at: delivery.createdAt.toISOString(),
  attempts: delivery.attempts.map(attempt => ({
    number: attempt.number,
    started_at: attempt.startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    response_status: attempt.responseStatus,
    response_body: attempt.responseBody,
    error: attempt.error,
  })),
})

export const viewSentDelivery = (
  delivery: Delivery & { body: string },
): z.output<typeof sentDeliveryView> => ({
  ...viewDelivery(delivery),
  body: delivery.body,
})
