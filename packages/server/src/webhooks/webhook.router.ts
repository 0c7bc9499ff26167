import { z } from 'zod'
import { afterId, pageInput, pageOf, pageWith } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { GatewayError } from '../errors.ts'
import { isId } from '../id.ts'
import { ofTenant } from '../large-reads.ts'
import { pageOfBytes } from '../page-bytes.ts'
import { configureEndpoint } from './configure-endpoint.ts'
import { type Delivery, findSentDelivery, listDeliveries } from './delivery.sql.ts'
import { deliveryStatuses } from './event.ts'
import { callbackUrlFault } from './public-address.ts'
import { readEndpoint } from './read-endpoint.ts'
import { eventNotFound, redeliverEvent } from './redeliver-event.ts'
import { redeliverableStatuses, redeliverFailed } from './redeliver-failed.ts'
import { rotateSecret } from './rotate-secret.ts'
import { sendTestEvent } from './send-test-event.ts'
import { callbackUrlInput, rotateSecretInput } from './webhook-input.ts'
import {
  deliveryView,
  endpointView,
  sentDeliveryView,
  viewDelivery,
  viewSentDelivery,
} from './webhook-view.ts'

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
        description: 'The callback URL, and the secret that verifies what is sent there.',
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
          'Where webhooks are sent: https, and a public address. null stops them; events are then recorded as `not_configured`, and can be delivered once there is a URL. It can be repeated. `POST /v1/account/webhook/test` shows whether the URL listens.',
      },
    })
    .input(callbackUrlInput)
    .output(endpointView)
    .mutation(({ ctx, input }) => {
      const fault =
        input.callback_url === null
          ? undefined
          : callbackUrlFault(input.callback_url, ctx.app.webhookAllowPrivate)
      if (fault) throw new GatewayError('BAD_REQUEST', `callback_url: ${fault}`)
      return configureEndpoint(ctx.app, ctx.caller, input.callback_url)
    }),

  rotateSecret: userProcedure()
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/account/webhook/rotate-secret',
        operationId: 'rotateWebhookSecret',
        tags: ['Webhooks'],
        summary: 'Replace the webhook secret',
        description:
          'Creates a new secret. The secret that it replaces keeps signing for 24 hours; give your receiver the new one within that time. Several previous secrets may overlap, ten at most, each for the 24 hours after its own rotation: `webhook-signature` carries one signature for each secret, `X-Service-Signature` that of the new one. With `revoke_previous` every previous secret stops signing at once; use it when a secret has leaked.',
      },
      errors: ['CONFLICT'],
    })
    .input(rotateSecretInput)
    .output(endpointView)
    .mutation(({ ctx, input }) =>
      rotateSecret(ctx.app, ctx.caller, { revokePrevious: input.revoke_previous }),
    ),

  test: userProcedure()
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/account/webhook/test',
        operationId: 'sendTestWebhook',
        tags: ['Webhooks'],
        summary: 'Send a test webhook',
        description:
          'Sends an event of the type `webhook.test` to the callback URL, signed and repeated like every other. `GET /v1/webhook-deliveries/{event_id}` tells how it went. Each request sends another.',
      },
      errors: ['CONFLICT'],
    })
    .input(z.object({}))
    .output(deliveryView)
    .mutation(async ({ ctx }) => viewDelivery(await sendTestEvent(ctx.app, ctx.caller))),

  deliveries: userProcedure()
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/webhook-deliveries',
        operationId: 'listWebhookDeliveries',
        tags: ['Webhooks'],
        summary: 'List webhook deliveries',
        description:
          'Your events, newest first, each with its latest attempts, ten at most. A page ends at 512 KiB, too: it may hold fewer than `limit`. `status=permanently_failed` shows what your receiver never took.',
      },
    })
    .input(
      pageInput.extend({
        status: z.enum(deliveryStatuses).optional().meta({ description: 'Only deliveries with this status' }),
        payment_id: z.uuid().optional().meta({ description: 'Only deliveries about this payment' }),
      }),
    )
    .output(pageOf(deliveryView, 'WebhookDeliveryPage'))
    .query(async ({ ctx, input }) => {
      const filter = { status: input.status ?? null, paymentId: input.payment_id ?? null }
      const { tenantId } = ctx.caller
      const after = afterId(input)
      const page = await ofTenant({ owner: tenantId, whenTaken: ctx.whenTaken }, async () =>
        pageOfBytes(
          await listDeliveries(ctx.app.db, tenantId, filter, after, input.limit + 1),
          input.limit,
          bytesOf,
        ),
      )
      return pageWith(page.rows, page.hasMore, viewDelivery)
    }),

  // Must precede the routes with an event id in this position, because the first matching path is used.
  redeliverFailed: userProcedure()
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/webhook-deliveries/redeliver',
        operationId: 'redeliverFailedWebhooks',
        tags: ['Webhooks'],
        summary: 'Deliver all failed webhooks again',
        description:
          'One more attempt of every event since a time that failed for good or had no callback URL, behind events that are new. For after an outage of the receiver. It carries on where it was broken off when it is repeated.',
      },
      errors: ['CONFLICT'],
    })
    .input(
      z.object({
        since: z.iso.datetime({ offset: true, error: 'must be an ISO 8601 time with its zone' }).meta({
          description: 'Events that happened then or later',
          example: '2026-11-20T00:00:00Z',
        }),
        status: z.enum(redeliverableStatuses).optional().meta({ description: 'Both without it' }),
      }),
    )
    .output(z.strictObject({ redelivered: z.int().min(0) }))
    .mutation(async ({ ctx, input }) => ({
      redelivered: await redeliverFailed(ctx.app, ctx.caller, {
        since: new Date(input.since),
        statuses: input.status ? [input.status] : redeliverableStatuses,
      }),
    })),

  delivery: userProcedure()
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/webhook-deliveries/{event_id}',
        operationId: 'getWebhookDelivery',
        tags: ['Webhooks'],
        summary: 'Get a webhook delivery',
        description:
          'One event with what is sent of it, and every attempt to deliver it: what your receiver answered, or why it was not reached.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(eventId)
    .output(sentDeliveryView)
    .query(async ({ ctx, input }) => {
      const delivery = isId(input.event_id)
        ? await findSentDelivery(ctx.app.db, ctx.caller.tenantId, input.event_id)
        : undefined
      if (!delivery) throw eventNotFound(input.event_id)
      return viewSentDelivery(delivery)
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
          'One more attempt of an event that was delivered, failed for good, or had no callback URL. It carries the same event id, so a receiver that knows it does nothing twice.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(eventId)
    .output(deliveryView)
    .mutation(async ({ ctx, input }) =>
      viewDelivery(await redeliverEvent(ctx.app, ctx.caller, input.event_id)),
    ),
})

/** Receivers determine the size of their responses; a list has up to ten attempts of 4 KiB each. */
const bytesOf = ({ attempts }: Delivery): number =>
  attempts.reduce((sum, { responseBody }) => sum + 200 + (responseBody?.length ?? 0), 500)
