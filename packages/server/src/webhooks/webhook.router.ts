import { z } from 'zod'
import { chosenMode, chosenModeOrId, modeFilter, modeOrIdFilter } from '../api/chosen-mode.ts'
import { afterId, pageInput, pageOf, pageWith } from '../api/page.ts'
import { router, userProcedure } from '../api/trpc.ts'
import { limitLargeReads } from '../fairness/large-read-limit.ts'
import { limitPageSize } from '../fairness/page-size-limit.ts'
import { fault } from '../faults/fault.ts'
import { isId } from '../values/id.ts'
import { type Delivery, findSentDelivery, listDeliveries } from './delivery/delivery.sql.ts'
import { callbackUrlFault } from './delivery/public-address.ts'
import { eventNotFound, redeliverEvent } from './delivery/redeliver-event.ts'
import { redeliverableStatuses, redeliverFailed } from './delivery/redeliver-failed.ts'
import { configureEndpoint } from './endpoint/configure-endpoint.ts'
import { readEndpoint } from './endpoint/read-endpoint.ts'
import { rotateSecret } from './endpoint/rotate-secret.ts'
import { sendTestEvent } from './endpoint/send-test-event.ts'
import { callbackUrlInput, rotateSecretInput } from './endpoint/webhook-input.ts'
import { deliveryStatuses } from './event.ts'
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
        description: 'Returns the callback URL and the secret for verifying webhooks.',
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
          'Sets the URL to which webhooks are sent. It must use `https` and resolve to a public address. Set it to null to stop webhooks. New events are then stored as `not_configured`, and you can deliver them after you set a URL again. Use `POST /v1/account/webhook/test` to test the URL. The request is safe to retry.',
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

  rotateSecret: userProcedure()
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/account/webhook/rotate-secret',
        operationId: 'rotateWebhookSecret',
        tags: ['Webhooks'],
        summary: 'Replace the webhook secret',
        description:
          'Creates a new webhook secret. Webhooks are also signed with the replaced secret for 24 hours, so update your receiver within that time. Up to ten previous secrets can be active at once, each for 24 hours after its rotation. `webhook-signature` contains one signature per active secret; `X-Service-Signature` uses only the new secret. If a secret was leaked, set `revoke_previous`: all previous secrets then stop at once.',
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
          'Sends a `webhook.test` event to the callback URL. It is signed and retried like any other event. `GET /v1/webhook-deliveries/{event_id}` returns the result. Each request sends a new event.',
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
          'Lists your webhook events, newest first. Each has up to ten of its latest delivery attempts. A page is limited to 512 KiB, so it can have fewer items than `limit`. Use `status=permanently_failed` to find events that could not be delivered.',
      },
    })
    .input(
      pageInput.extend({
        status: z.enum(deliveryStatuses).optional().meta({ description: 'Only deliveries with this status' }),
        mode: modeOrIdFilter('deliveries', '`payment_id`'),
        payment_id: z.uuid().optional().meta({ description: 'Only deliveries for this payment' }),
      }),
    )
    .output(pageOf(deliveryView, 'WebhookDeliveryPage'))
    .query(async ({ ctx, input }) => {
      const filter = {
        status: input.status ?? null,
        mode: chosenModeOrId(ctx.caller, input.mode, input.payment_id),
        paymentId: input.payment_id ?? null,
      }
      const { tenantId } = ctx.caller
      const after = afterId(input)
      const page = await limitLargeReads({ owner: tenantId, onReceived: ctx.onReceived }, async () =>
        limitPageSize(
          await listDeliveries(ctx.app.db, tenantId, filter, after, input.limit + 1),
          input.limit,
          bytesOf,
        ),
      )
      return pageWith(page.rows, page.hasMore, viewDelivery)
    }),

  // This route must precede the routes with an event id at the same position in the path, because the first matching
  // route is used.
  redeliverFailed: userProcedure()
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/webhook-deliveries/redeliver',
        operationId: 'redeliverFailedWebhooks',
        tags: ['Webhooks'],
        summary: 'Redeliver failed webhooks',
        description:
          'Attempts one more delivery of every event since the given time that failed permanently or had no callback URL. Use it after an outage of your receiver. New events are delivered first. The request is safe to retry: it continues where it was interrupted.',
      },
      ignoresKey: 'several transactions',
      errors: ['CONFLICT'],
    })
    .input(
      z.object({
        since: z.iso.datetime({ offset: true }).meta({
          description: 'Only events at or after this time (inclusive)',
          example: '2026-11-20T00:00:00Z',
        }),
        status: z
          .enum(redeliverableStatuses)
          .optional()
          .meta({ description: 'Only events with this status. If omitted, both' }),
        mode: modeFilter('events'),
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

  delivery: userProcedure()
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/webhook-deliveries/{event_id}',
        operationId: 'getWebhookDelivery',
        tags: ['Webhooks'],
        summary: 'Get a webhook delivery',
        description:
          'Returns one event with the body that is sent and every delivery attempt. Each attempt has the response of your receiver, or the reason why there was none.',
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
        summary: 'Redeliver a webhook',
        description:
          'Attempts one more delivery of an event that was delivered, failed permanently or had no callback URL. The event ID stays the same, so your receiver can detect the duplicate.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(eventId)
    .output(deliveryView)
    .mutation(async ({ ctx, input }) =>
      viewDelivery(await redeliverEvent(ctx.app, ctx.caller, input.event_id)),
    ),
})

/**
 * Returns the size of a delivery, to limit a page's size. A delivery in a list has up to ten attempts with 4 KiB of
 * response each, and receivers choose those responses.
 */
const bytesOf = ({ attempts }: Delivery): number =>
  attempts.reduce((sum, { responseBody }) => sum + 200 + (responseBody?.length ?? 0), 500)
