import { z } from 'zod'
import { chosenMode, chosenModeOrId, modeOrIdFilter, userModeFilter } from '../api/chosen-mode.ts'
import { longListInput } from '../api/long-list.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { fault } from '../faults/fault.ts'
import { paymentFilter } from '../payments/payment-id-input.ts'
import { isId } from '../values/id.ts'
import { countDeliveries, findSentDelivery, listDeliveries } from './delivery/delivery.sql.ts'
import { callbackUrlFault } from './delivery/public-address.ts'
import { eventNotFound, redeliverEvent } from './delivery/redeliver-event.ts'
import { redeliverableStatuses, redeliverFailed } from './delivery/redeliver-failed.ts'
import { deliveryPage, readDeliveryPage, readSentDelivery } from './delivery-page.router.ts'
import { configureEndpoint } from './endpoint/configure-endpoint.ts'
import { readEndpoint } from './endpoint/read-endpoint.ts'
import { rotateSecret } from './endpoint/rotate-secret.ts'
import { sendTestEvent } from './endpoint/send-test-event.ts'
import { callbackUrlInput, rotateSecretInput } from './endpoint/webhook-input.ts'
import { deliveryStatuses } from './event.ts'
import { eventTypes } from './event-type.ts'
import { deliveryView, endpointView, sentDeliveryView, viewDelivery } from './webhook-view.ts'

const eventId = z.object({
  event_id: z
    .string()
    .meta({ description: 'UUID of the webhook event', example: '01990000-0000-7000-8000-000000000002' }),
})

export const webhookRouter = router({
  endpoint: userProcedure({ permission: 'developer' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/account/webhook',
        operationId: 'getWebhook',
        tags: ['Webhooks'],
        summary: 'Get the webhook configuration',
        description: 'Returns the callback URL and the secret for verifying webhooks.',
      },
    })
    .input(z.object({}))
    .output(endpointView)
    .query(({ ctx }) => readEndpoint(ctx.app, ctx.caller.tenantId)),

  configure: userProcedure({ permission: 'developer' })
    .meta({
      openapi: {
        method: 'PUT',
        path: '/v1/account/webhook',
        operationId: 'setWebhook',
        tags: ['Webhooks'],
        summary: 'Set the callback URL',
        description:
          'Sets the URL that receives webhooks. The URL must use `https` and resolve to a public address. To stop webhooks, set the URL to null. While no URL is set, new events are stored with the status `not_configured`, and you can redeliver them after you set a URL again. Use `POST /v1/account/webhook/test` to test the URL. The request is safe to retry.',
      },
    })
    .input(callbackUrlInput)
    .output(endpointView)
    .mutation(({ ctx, input }) => {
      const urlFault =
        input.callback_url === null
          ? undefined
          : callbackUrlFault(input.callback_url, ctx.app.webhookAllowPrivate)
      if (urlFault) throw fault(urlFault, {}, { field: 'callback_url' })
      return configureEndpoint(ctx.app, ctx.caller, input.callback_url)
    }),

  rotateSecret: userProcedure({ permission: 'developer', stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/account/webhook/rotate-secret',
        operationId: 'rotateWebhookSecret',
        tags: ['Webhooks'],
        summary: 'Replace the webhook secret',
        description:
          'Creates a new webhook secret. Webhooks are also signed with the replaced secret for 24 hours, so update your receiver within that time. Up to ten previous secrets can be active at once, each for 24 hours after its rotation. The header `webhook-signature` contains one signature per active secret. The header `X-Service-Signature` contains only the signature of the new secret. If a secret was leaked, set `revoke_previous`: all previous secrets then stop signing at once.',
      },
      errors: ['CONFLICT'],
    })
    .input(rotateSecretInput)
    .output(endpointView)
    .mutation(({ ctx, input }) =>
      rotateSecret(ctx.app, ctx.caller, { revokePrevious: input.revoke_previous }),
    ),

  test: userProcedure({ permission: 'developer' })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/account/webhook/test',
        operationId: 'sendTestWebhook',
        tags: ['Webhooks'],
        summary: 'Send a test webhook',
        description:
          'Sends a `webhook.test` event to the callback URL. The test event is signed and retried like any other event. Additional test-mode webhook endpoints also receive it, unless their event types exclude it. `GET /v1/webhook-deliveries/{event_id}` returns the result. Each request sends a new event.',
      },
      errors: ['CONFLICT'],
    })
    .input(z.object({}))
    .output(deliveryView)
    .mutation(async ({ ctx }) => viewDelivery(await sendTestEvent(ctx.app, ctx.caller))),

  deliveries: userProcedure({ permission: ['developer', 'support'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/webhook-deliveries',
        operationId: 'listWebhookDeliveries',
        tags: ['Webhooks'],
        summary: 'List webhook deliveries',
        description:
          'Lists your webhook events, newest first by default. Each event includes up to ten of its latest delivery attempts. A page is limited to 512 KiB, so it can have fewer items than `limit`. Use `status=permanently_failed` to find events that could not be delivered.',
      },
    })
    .input(
      longListInput.extend({
        status: z.enum(deliveryStatuses).optional().meta({ description: 'Only deliveries with this status' }),
        mode: modeOrIdFilter('deliveries', '`payment_id`'),
        type: z.enum(eventTypes).optional().meta({ description: 'Only deliveries of events of this type' }),
        payment_id: paymentFilter('deliveries for'),
      }),
    )
    .output(deliveryPage)
    .query(async ({ ctx, input }) => {
      const filter = {
        status: input.status ?? null,
        mode: chosenModeOrId(ctx.caller, input.mode, input.payment_id),
        type: input.type ?? null,
        payment: input.payment_id ?? null,
      }
      const { tenantId } = ctx.caller
      return readDeliveryPage(
        { owner: tenantId, onReceived: ctx.onReceived },
        input,
        (start, limit) => listDeliveries(ctx.app.db, tenantId, filter, start, limit),
        () => countDeliveries(ctx.app.db, tenantId, filter),
      )
    }),

  // The router uses the first matching route, so this route must come before the routes with `{event_id}`, which
  // would read `redeliver` as an event id.
  redeliverFailed: userProcedure({ permission: ['developer', 'support'] })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/webhook-deliveries/redeliver',
        operationId: 'redeliverFailedWebhooks',
        tags: ['Webhooks'],
        summary: 'Redeliver failed webhooks',
        description:
          'Redelivers events that occurred at or after the given time: every event whose delivery failed permanently, and every event that had no callback URL. Each event gets one more attempt. Use this operation after an outage of your webhook receiver. New events are delivered before these events. A redelivered event has its original body, so it can be older than events that your receiver has already processed. Before you deliver goods, get the payment and its refunds, because it may have been refunded. If you receive no response, retry with the same `X-Idempotency-Key` within 24 hours. Even with such a retry, each event gets only one more attempt. If the first request was interrupted, the retry continues with the remaining events.',
      },
      storesResponseLater: 'several transactions',
      errors: ['CONFLICT'],
    })
    .input(
      z.object({
        since: z.iso.datetime({ offset: true }).meta({
          description: 'Redeliver only events that occurred at or after this time',
          example: '2026-11-20T00:00:00Z',
        }),
        status: z.enum(redeliverableStatuses).optional().meta({
          description:
            'Redeliver only events with this delivery status. If omitted, events with any of the allowed statuses are redelivered',
        }),
        mode: userModeFilter('events'),
      }),
    )
    .output(z.strictObject({ redelivered: z.int().min(0) }))
    .mutation(async ({ ctx, input }) => ({
      redelivered: await redeliverFailed(ctx.app, ctx.caller, {
        since: new Date(input.since),
        statuses: input.status ? [input.status] : redeliverableStatuses,
        mode: chosenMode(ctx.caller, input.mode),
      }),
    })),

  delivery: userProcedure({ permission: ['developer', 'support'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/webhook-deliveries/{event_id}',
        operationId: 'getWebhookDelivery',
        tags: ['Webhooks'],
        summary: 'Get a webhook delivery',
        description:
          "Returns one webhook event with the body that is sent and up to 100 of the newest delivery attempts. Each attempt includes your receiver's response, or the reason why there was none.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(eventId)
    .output(sentDeliveryView)
    .query(({ ctx, input }) => {
      const { tenantId } = ctx.caller
      return readSentDelivery({ owner: tenantId, onReceived: ctx.onReceived }, async () => {
        const delivery = isId(input.event_id)
          ? await findSentDelivery(ctx.app.db, tenantId, input.event_id)
          : undefined
        if (!delivery) throw eventNotFound(input.event_id)
        return delivery
      })
    }),

  redeliver: userProcedure({ permission: ['developer', 'support'] })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/webhook-deliveries/{event_id}/redeliver',
        operationId: 'redeliverWebhook',
        tags: ['Webhooks'],
        summary: 'Redeliver a webhook',
        description:
          'Makes one more attempt to deliver an event that was delivered, failed permanently, or had no callback URL. The event ID stays the same, so your receiver can detect the duplicate. A redelivered event has its original body, so it can be older than events that your receiver has already processed. Before you deliver goods, get the payment and its refunds, because it may have been refunded.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(eventId)
    .output(deliveryView)
    .mutation(async ({ ctx, input }) =>
      viewDelivery(await redeliverEvent(ctx.app, ctx.caller, input.event_id)),
    ),
})
