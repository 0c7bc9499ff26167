import { z } from 'zod'
import { chosenMode, userModeFilter } from '../../api/chosen-mode.ts'
import { longListInput } from '../../api/long-list.ts'
import { afterId, pageInput, pageOf, toPage } from '../../api/page.ts'
import { router, userProcedure } from '../../api/trpc.ts'
import { fault } from '../../faults/fault.ts'
import { paymentFilter } from '../../payments/payment-id-input.ts'
import { callbackUrlFault } from '../delivery/public-address.ts'
import { deliveryPage, readDeliveryPage, readSentDelivery } from '../delivery-page.router.ts'
import { rotateSecretInput } from '../endpoint/webhook-input.ts'
import { eventTypes } from '../event-type.ts'
import { deliveryView, sentDeliveryView, viewDelivery } from '../webhook-view.ts'
import { listAdditionalEndpoints } from './additional-endpoint.sql.ts'
import { createEndpointInput, updateEndpointInput } from './additional-endpoint-input.ts'
import {
  additionalEndpointView,
  listedEndpointView,
  viewAdditionalEndpoint,
  viewListedEndpoint,
} from './additional-endpoint-view.ts'
import { createEndpoint } from './create-endpoint.ts'
import { deleteEndpoint } from './delete-endpoint.ts'
import { countEndpointDeliveries, listEndpointDeliveries } from './endpoint-delivery.sql.ts'
import { getAdditionalEndpoint } from './get-endpoint.ts'
import { getEndpointDelivery, redeliverToEndpoint } from './redeliver-to-endpoint.ts'
import { rotateEndpointSecret } from './rotate-endpoint-secret.ts'
import { updateEndpoint } from './update-endpoint.ts'

const endpointPage = pageOf(listedEndpointView, 'WebhookEndpointPage')

const endpointPath = z.object({
  endpoint_id: z
    .string()
    .meta({ description: 'UUID of the webhook endpoint', example: '01990000-0000-7000-8000-000000000041' }),
})
const deliveryPath = endpointPath.extend({
  event_id: z
    .string()
    .meta({ description: 'UUID of the webhook event', example: '01990000-0000-7000-8000-000000000002' }),
})

function checkUrl(url: string, allowPrivate: boolean): void {
  const urlFault = callbackUrlFault(url, allowPrivate)
  if (urlFault) throw fault(urlFault, {}, { field: 'url' })
}

export const additionalEndpointRouter = router({
  list: userProcedure({ permission: ['developer', 'support'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/webhook-endpoints',
        operationId: 'listWebhookEndpoints',
        tags: ['Webhooks'],
        summary: 'List webhook endpoints',
        description:
          'Lists your additional webhook endpoints, newest first, without their secrets. The callback URL of `GET /v1/account/webhook` is not in this list.',
      },
    })
    .input(pageInput.extend({ mode: userModeFilter('endpoints') }))
    .output(endpointPage)
    .query(async ({ ctx, input }) => {
      const now = ctx.app.clock()
      const after = afterId(input)
      const endpoints = await listAdditionalEndpoints(
        ctx.app.db,
        ctx.caller.tenantId,
        chosenMode(ctx.caller, input.mode),
      )
      const rows = after === undefined ? endpoints : endpoints.filter(({ id }) => id < after)
      return toPage(rows, input, endpoint => viewListedEndpoint(endpoint, now))
    }),

  create: userProcedure({ permission: 'developer' })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/webhook-endpoints',
        operationId: 'createWebhookEndpoint',
        tags: ['Webhooks'],
        summary: 'Create a webhook endpoint',
        description:
          'Creates an endpoint that receives events in addition to the callback URL. The endpoint receives the events of its mode and types that occur after its creation. An event has the same ID and body at every endpoint, but each endpoint has its own secret. A tenant can have up to 10 endpoints in each mode.',
      },
      errors: ['CONFLICT'],
    })
    .input(createEndpointInput)
    .output(additionalEndpointView)
    .mutation(async ({ ctx, input: { event_types, ...wanted } }) => {
      checkUrl(wanted.url, ctx.app.webhookAllowPrivate)
      const eventTypes = [...new Set(event_types)]
      const created = await createEndpoint(ctx.app, ctx.caller, { ...wanted, eventTypes })
      return viewAdditionalEndpoint(ctx.app.secrets, created, ctx.app.clock())
    }),

  get: userProcedure({ permission: 'developer' })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/webhook-endpoints/{endpoint_id}',
        operationId: 'getWebhookEndpoint',
        tags: ['Webhooks'],
        summary: 'Get a webhook endpoint',
        description: 'Returns an additional webhook endpoint and the secret for verifying its webhooks.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(endpointPath)
    .output(additionalEndpointView)
    .query(async ({ ctx, input }) =>
      viewAdditionalEndpoint(
        ctx.app.secrets,
        await getAdditionalEndpoint(ctx.app, ctx.caller.tenantId, input.endpoint_id),
        ctx.app.clock(),
      ),
    ),

  update: userProcedure({ permission: 'developer' })
    .meta({
      openapi: {
        method: 'PATCH',
        path: '/v1/webhook-endpoints/{endpoint_id}',
        operationId: 'updateWebhookEndpoint',
        tags: ['Webhooks'],
        summary: 'Change a webhook endpoint',
        description:
          'Changes an additional webhook endpoint. Omitted fields keep their values. Waiting deliveries use the new URL and the new retry schedule. A change to `event_types` affects new events only. While `enabled` is false, the endpoint gets no new events, and its waiting deliveries are attempted only after you enable it again.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(endpointPath.extend(updateEndpointInput.shape))
    .output(additionalEndpointView)
    .mutation(async ({ ctx, input: { endpoint_id, event_types, ...changes } }) => {
      if (changes.url !== undefined) checkUrl(changes.url, ctx.app.webhookAllowPrivate)
      const changed = await updateEndpoint(ctx.app, ctx.caller, endpoint_id, {
        ...changes,
        eventTypes: event_types && [...new Set(event_types)],
      })
      return viewAdditionalEndpoint(ctx.app.secrets, changed, ctx.app.clock())
    }),

  delete: userProcedure({ permission: 'developer' })
    .meta({
      openapi: {
        method: 'DELETE',
        path: '/v1/webhook-endpoints/{endpoint_id}',
        operationId: 'deleteWebhookEndpoint',
        tags: ['Webhooks'],
        summary: 'Delete a webhook endpoint',
        description:
          "Permanently deletes an additional webhook endpoint and its secret. Waiting deliveries are no longer attempted, and the endpoint's deliveries can no longer be read. To stop deliveries temporarily, set `enabled` to false instead.",
      },
      errors: ['NOT_FOUND'],
    })
    .input(endpointPath)
    .output(listedEndpointView)
    .mutation(async ({ ctx, input }) =>
      viewListedEndpoint(await deleteEndpoint(ctx.app, ctx.caller, input.endpoint_id), ctx.app.clock()),
    ),

  rotateSecret: userProcedure({ permission: 'developer', stepUp: true })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/webhook-endpoints/{endpoint_id}/rotate-secret',
        operationId: 'rotateWebhookEndpointSecret',
        tags: ['Webhooks'],
        summary: "Replace a webhook endpoint's secret",
        description:
          'Creates a new secret for an additional webhook endpoint. Webhooks are also signed with the replaced secret for 24 hours, so update your receiver within that time. During these 24 hours, the secret can be replaced again only with `revoke_previous`: all previous secrets then stop signing at once.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(endpointPath.extend(rotateSecretInput.shape))
    .output(additionalEndpointView)
    .mutation(async ({ ctx, input }) => {
      const revokePrevious = input.revoke_previous
      const rotated = await rotateEndpointSecret(ctx.app, ctx.caller, input.endpoint_id, { revokePrevious })
      return viewAdditionalEndpoint(ctx.app.secrets, rotated, ctx.app.clock())
    }),

  deliveries: userProcedure({ permission: ['developer', 'support'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/webhook-endpoints/{endpoint_id}/deliveries',
        operationId: 'listWebhookEndpointDeliveries',
        tags: ['Webhooks'],
        summary: "List a webhook endpoint's deliveries",
        description:
          'Lists the events that were sent or are waiting to be sent to an additional webhook endpoint, newest first by default. Each event includes up to ten of its latest delivery attempts. A page is limited to 512 KiB, so it can have fewer items than `limit`.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(
      endpointPath.extend({
        ...longListInput.shape,
        status: z
          .enum(['pending', 'delivered', 'permanently_failed'])
          .optional()
          .meta({ description: 'Only deliveries with this status' }),
        type: z.enum(eventTypes).optional().meta({ description: 'Only deliveries of events of this type' }),
        payment_id: paymentFilter('deliveries for'),
      }),
    )
    .output(deliveryPage)
    .query(async ({ ctx, input }) => {
      const { tenantId } = ctx.caller
      const filter = {
        status: input.status ?? null,
        type: input.type ?? null,
        payment: input.payment_id ?? null,
      }
      const endpoint = async () => {
        const { id: endpointId } = await getAdditionalEndpoint(ctx.app, tenantId, input.endpoint_id)
        return { tenantId, endpointId }
      }
      return readDeliveryPage(
        { owner: tenantId, onReceived: ctx.onReceived },
        input,
        async (start, limit) => listEndpointDeliveries(ctx.app.db, await endpoint(), filter, start, limit),
        async () => countEndpointDeliveries(ctx.app.db, await endpoint(), filter),
      )
    }),

  delivery: userProcedure({ permission: ['developer', 'support'] })
    .meta({
      openapi: {
        method: 'GET',
        path: '/v1/webhook-endpoints/{endpoint_id}/deliveries/{event_id}',
        operationId: 'getWebhookEndpointDelivery',
        tags: ['Webhooks'],
        summary: "Get a webhook endpoint's delivery",
        description:
          'Returns the delivery of one event to an additional webhook endpoint, with the request body and up to 100 of the newest delivery attempts.',
      },
      errors: ['NOT_FOUND'],
    })
    .input(deliveryPath)
    .output(sentDeliveryView)
    .query(({ ctx, input }) => {
      const { tenantId } = ctx.caller
      return readSentDelivery({ owner: tenantId, onReceived: ctx.onReceived }, () =>
        getEndpointDelivery(ctx.app, tenantId, input.endpoint_id, input.event_id),
      )
    }),

  redeliver: userProcedure({ permission: ['developer', 'support'] })
    .meta({
      openapi: {
        method: 'POST',
        path: '/v1/webhook-endpoints/{endpoint_id}/deliveries/{event_id}/redeliver',
        operationId: 'redeliverToWebhookEndpoint',
        tags: ['Webhooks'],
        summary: 'Redeliver a webhook to an endpoint',
        description:
          'Makes one more attempt to deliver an event to an additional webhook endpoint. Other endpoints do not receive the event again. The request is accepted if the event has been delivered to this endpoint or its delivery has failed permanently. It is also accepted for a pending delivery whose next attempt is more than 35 seconds ahead. In this case, the next attempt is made immediately. If it fails, the remaining retries of the schedule follow. A redelivered event has its original body, so it can be older than events that your receiver has already processed. Before you deliver goods, get the payment and its refunds, because it may have been refunded.',
      },
      errors: ['NOT_FOUND', 'CONFLICT'],
    })
    .input(deliveryPath)
    .output(deliveryView)
    .mutation(async ({ ctx, input }) =>
      viewDelivery(await redeliverToEndpoint(ctx.app, ctx.caller, input.endpoint_id, input.event_id)),
    ),
})
