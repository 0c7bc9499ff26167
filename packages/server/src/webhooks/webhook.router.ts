import { z } from 'zod'
import { router, userProcedure } from '../api/trpc.ts'
import { GatewayError } from '../errors.ts'
import { isId } from '../id.ts'
import { modes } from '../mode.ts'
import { configureEndpoint, readEndpoint } from './configure-endpoint.ts'
import { deliveryStatuses, eventTypes } from './event.ts'
import { callbackUrlFault } from './public-address.ts'
import { type Delivery, findDelivery, redeliverEvent } from './webhook.sql.ts'

const endpointView = z
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
      .meta({ description: 'Until when the secret before this one signs too' }),
  })
  .meta({ id: 'WebhookEndpoint' })

const deliveryView = z
  .strictObject({
    id: z.uuid().meta({ description: 'The X-Service-Event-Id' }),
    type: z.enum(eventTypes),
    payment_id: z.uuid(),
    mode: z.enum(modes),
    status: z.enum(deliveryStatuses),
    next_attempt_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
    attempts: z.array(
      z.strictObject({
        number: z.int(),
        started_at: z.iso.datetime(),
        duration_ms: z.int(),
        response_status: z.int().nullable(),
        response_body: z.string().nullable().meta({ description: 'The first 4 KiB' }),
        error: z.string().nullable(),
      }),
    ),
  })
  .meta({ id: 'WebhookDelivery' })

const eventId = z.object({
  event_id: z
    .string()
    .meta({ description: 'UUID of the event', example: '01990000-0000-7000-8000-000000000002' }),
})

export const webhookRouter = router({
  endpoint: userProcedure()
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/webhook',
        operationId: 'getWebhook',
        tags: ['Webhooks'],
        summary: 'Get the webhook configuration',
        description: 'The callback URL and the secret that verifies what is sent there.',
      },
    })
    .input(z.object({}))
    .output(endpointView)
    .query(({ ctx }) => readEndpoint(ctx.app, ctx.caller.tenantId)),

  configure: userProcedure()
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/account/webhook',
        operationId: 'setWebhook',
        tags: ['Webhooks'],
        summary: 'Set the callback URL',
        description:
          'Where webhooks are sent: https, and a public address. null stops them; events are then recorded as `not_configured`.',
      },
    })
    .input(
      z.object({
        callback_url: z
          .string()
          .trim()
          .max(2048, 'must be at most 2048 characters')
          .nullable()
          .meta({ example: 'https://shop.example.com/hooks/gapura' }),
      }),
    )
    .output(endpointView)
    .mutation(({ ctx, input }) => {
      const fault =
        input.callback_url === null
          ? undefined
          : callbackUrlFault(input.callback_url, ctx.app.webhookAllowPrivate)
      if (fault) throw new GatewayError('BAD_REQUEST', `callback_url: ${fault}`)
      return configureEndpoint(ctx.app, ctx.caller.tenantId, input.callback_url)
    }),

  delivery: userProcedure()
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/webhook-deliveries/{event_id}',
        operationId: 'getWebhookDelivery',
        tags: ['Webhooks'],
        summary: 'Get a webhook delivery',
        description: 'One event with every attempt to deliver it.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(eventId)
    .output(deliveryView)
    .query(async ({ ctx, input }) => {
      const delivery = isId(input.event_id)
        ? await findDelivery(ctx.app.db, ctx.caller.tenantId, input.event_id)
        : undefined
      if (!delivery) throw eventNotFound(input.event_id)
      return viewDelivery(delivery)
    }),

  redeliver: userProcedure()
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/webhook-deliveries/{event_id}/redeliver',
        operationId: 'redeliverWebhook',
        tags: ['Webhooks'],
        summary: 'Deliver a webhook again',
        description:
          'One more attempt of an event that was delivered, failed for good, or had no callback URL. It carries the same event id.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(eventId)
    .output(deliveryView)
    .mutation(async ({ ctx, input }) => {
      const { tenantId } = ctx.caller
      if (!isId(input.event_id) || !(await findDelivery(ctx.app.db, tenantId, input.event_id)))
        throw eventNotFound(input.event_id)
      const reopened = await redeliverEvent(ctx.app.db, tenantId, input.event_id, ctx.app.clock())
      const delivery = await findDelivery(ctx.app.db, tenantId, input.event_id)
      if (!delivery) throw eventNotFound(input.event_id)
      if (!reopened) {
        throw new GatewayError(
          'CONFLICT',
          delivery.status === 'pending'
            ? `event ${delivery.id} is being delivered; wait for its attempts to end`
            : 'there is no callback URL; set one with PUT /v1/account/webhook',
        )
      }
      return viewDelivery(delivery)
    }),
})

const eventNotFound = (id: string) => new GatewayError('NOT_FOUND', `webhook event ${id} not found`)

const viewDelivery = (delivery: Delivery): z.output<typeof deliveryView> => ({
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
