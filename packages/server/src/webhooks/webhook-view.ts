import { z } from 'zod'
import { modes } from '../values/mode.ts'
import type { Delivery, SentDelivery } from './delivery/delivery.sql.ts'
import { sentSignatures } from './delivery/sign.ts'
import { deliveryStatuses } from './event.ts'
import { eventTypes } from './event-type.ts'

export const endpointView = z
  .strictObject({
    callback_url: z.string().nullable().meta({
      description: 'URL that receives the webhooks; null if no URL is set',
      example: 'https://shop.example.com/hooks/gapura',
    }),
    secret: z.string().meta({
      description: 'Secret for verifying webhook signatures',
      example: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo=',
    }),
    previous_secret_expires_at: z.iso.datetime().nullable().meta({
      description:
        'Time until which webhooks are signed with a previous secret in addition to the current one; null if no previous secret is active',
    }),
  })
  .meta({ id: 'WebhookEndpoint', description: 'The callback URL and the webhook secrets of a tenant' })

export const deliveryView = z
  .strictObject({
    id: z.uuid().meta({ description: 'ID of the webhook event, also sent in the header X-Service-Event-Id' }),
    type: z.enum(eventTypes),
    payment_id: z.uuid().nullable().meta({ description: 'ID of the payment; null for a test event' }),
    payment_code: z.string().nullable().meta({ description: 'Payment code; null for a test event' }),
    mode: z.enum(modes),
    status: z.enum(deliveryStatuses).meta({
      description:
        '`pending`: another attempt will be made. `delivered`: the receiver returned a 2xx status. `permanently_failed`: all attempts failed. `not_configured`: no callback URL was set',
    }),
    next_attempt_at: z.iso.datetime().nullable().meta({
      description:
        'Time of the next delivery attempt; null if no attempt is scheduled. While an attempt is in progress, this is the time of a further attempt in case its result is lost',
    }),
    created_at: z.iso.datetime(),
    attempts: z.array(
      z.strictObject({
        number: z.int(),
        started_at: z.iso.datetime(),
        duration_ms: z.int(),
        response_status: z.int().nullable().meta({
          description: 'HTTP status that the webhook receiver returned; null if there was no response',
        }),
        response_headers: z
          .record(z.string(), z.string())
          .nullable()
          .meta({
            description:
              "The receiver's response headers, up to 1 KiB, without cookies; null if there was no response or none were stored",
            example: { 'content-type': 'application/json', server: 'nginx' },
          }),
        response_body: z
          .string()
          .nullable()
          .meta({ description: "The first 4 KiB of the receiver's response body" }),
        error: z.string().nullable().meta({
          description: 'Error message if the receiver did not return a complete response; otherwise null',
        }),
        sent_signatures: z
          .strictObject({
            'webhook-id': z.string(),
            'webhook-timestamp': z.string().meta({ example: '1795132800' }),
            'webhook-signature': z
              .string()
              .meta({ example: 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=' }),
            'x-service-signature': z.string().meta({
              example: 'sha256=5257a869e7ecebeda32affa62cdca3fa51cad7e77a0e56ff536d0ce8e108d8bd',
            }),
          })
          .nullable()
          .meta({
            description:
              'The request headers containing the signatures that were sent; null if no request was sent or none were stored',
          }),
      }),
    ),
  })
  .meta({ id: 'WebhookDelivery', description: 'A webhook event and its latest delivery attempts' })

/**
 * The API schema for a single webhook delivery, with the body that was sent. Lists omit the bodies to keep
 * responses small.
 */
export const sentDeliveryView = deliveryView
  .extend({
    body: z.string().meta({
      description:
        'The exact body that is signed and sent, identical in every attempt. Verify signatures against this text',
      example: '{"id":"01990000-0000-7000-8000-000000000002","type":"payment.paid"}',
    }),
  })
  .meta({
    id: 'SentWebhookDelivery',
    description: 'A webhook delivery with the body that is sent and up to 100 of its newest attempts',
  })

export const viewDelivery = (delivery: Delivery): z.output<typeof deliveryView> => ({
  id: delivery.id,
  type: delivery.type,
  payment_id: delivery.paymentId,
  payment_code: delivery.paymentCode,
  mode: delivery.mode,
  status: delivery.status,
  next_attempt_at: delivery.nextAttemptAt?.toISOString() ?? null,
  created_at: delivery.createdAt.toISOString(),
  attempts: delivery.attempts.map(attempt => ({
    number: attempt.number,
    started_at: attempt.startedAt.toISOString(),
    duration_ms: attempt.durationMs,
    response_status: attempt.responseStatus,
    response_headers: attempt.responseHeaders,
    response_body: attempt.responseBody,
    error: attempt.error,
    sent_signatures:
      attempt.signature === null ? null : sentSignatures(attempt.signature, delivery.id, attempt.startedAt),
  })),
})

export const viewSentDelivery = (delivery: SentDelivery): z.output<typeof sentDeliveryView> => ({
  ...viewDelivery(delivery),
  body: delivery.body,
})
