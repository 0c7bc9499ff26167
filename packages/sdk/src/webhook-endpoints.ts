import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import {
  createWebhookEndpoint,
  deleteWebhookEndpoint,
  getWebhookEndpoint,
  getWebhookEndpointDelivery,
  listWebhookEndpointDeliveries,
  listWebhookEndpoints,
  redeliverToWebhookEndpoint,
  rotateWebhookEndpointSecret,
  updateWebhookEndpoint,
} from './generated/operations.gen.ts'
import type {
  AdditionalWebhookEndpoint,
  CreateWebhookEndpointBody,
  ListedWebhookEndpoint,
  ListWebhookEndpointDeliveriesData,
  ListWebhookEndpointsData,
  RotateWebhookEndpointSecretBody,
  SentWebhookDelivery,
  UpdateWebhookEndpointBody,
  WebhookDelivery,
} from './generated/types.gen.ts'
import type { Loose, QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/**
 * The webhook endpoints that receive events in addition to the callback URL, and the deliveries to these endpoints.
 * Each endpoint has its own secret, event types and retry schedule.
 */
export class WebhookEndpointsResource extends Resource {
  /**
   * Lists the webhook endpoints of a mode (live or test), newest first, without their secrets. These
   * endpoints receive events in addition to the callback URL.
   *
   * @example
   * for await (const { id, url } of gapura.webhookEndpoints.list({ mode: 'live' })) console.log(id, url)
   */
  list(
    query: QueryOf<ListWebhookEndpointsData> = {},
    options?: CallOptions,
  ): PagePromise<ListedWebhookEndpoint> {
    return pagesOf(this.call, listWebhookEndpoints, { query }, options)
  }

  /**
   * Creates an endpoint. Throws `ConflictError` if the mode (live or test) already has ten endpoints or already has
   * one with this URL.
   *
   * @example
   * const { id, secret } = await gapura.webhookEndpoints.create({
   *   mode: 'live',
   *   url: 'https://erp.example.com/hooks/gapura',
   *   event_types: ['payment.paid', 'payment.refunded'],
   *   schedule: 'long',
   * })
   */
  create(
    body: Loose<CreateWebhookEndpointBody>,
    options?: CallOptions,
  ): ApiPromise<AdditionalWebhookEndpoint> {
    return this.call.once(createWebhookEndpoint, { body }, options)
  }

  /**
   * Returns an endpoint with its webhook secret.
   *
   * @example
   * const { secret } = await gapura.webhookEndpoints.get(endpointId)
   */
  get(endpointId: string, options?: CallOptions): ApiPromise<AdditionalWebhookEndpoint> {
    return this.call.repeatable(getWebhookEndpoint, { path: { endpoint_id: endpointId } }, options)
  }

  /**
   * Changes an endpoint. Omitted fields keep their values. While `enabled` is false, the endpoint receives nothing.
   *
   * @example
   * await gapura.webhookEndpoints.update(endpointId, { enabled: false })
   */
  update(
    endpointId: string,
    body: Loose<UpdateWebhookEndpointBody>,
    options?: CallOptions,
  ): ApiPromise<AdditionalWebhookEndpoint> {
    return this.call.once(updateWebhookEndpoint, { path: { endpoint_id: endpointId }, body }, options)
  }

  /**
   * Permanently deletes an endpoint. Its pending deliveries are no longer attempted.
   *
   * @example
   * await gapura.webhookEndpoints.delete(endpointId)
   */
  delete(endpointId: string, options?: CallOptions): ApiPromise<ListedWebhookEndpoint> {
    return this.call.once(deleteWebhookEndpoint, { path: { endpoint_id: endpointId } }, options)
  }

  /**
   * Creates a new secret for an endpoint. For the next 24 hours, deliveries are also signed with the replaced
   * secret. With `revoke_previous`, all previous secrets are revoked immediately. Throws `ConflictError` if the
   * secret from an earlier rotation is still in use.
   *
   * @example
   * const { secret } = await gapura.webhookEndpoints.rotateSecret(endpointId)
   */
  rotateSecret(
    endpointId: string,
    body: Loose<RotateWebhookEndpointSecretBody> = {},
    options?: CallOptions,
  ): ApiPromise<AdditionalWebhookEndpoint> {
    return this.call.once(rotateWebhookEndpointSecret, { path: { endpoint_id: endpointId }, body }, options)
  }

  /**
   * Lists the deliveries to an endpoint, newest first.
   *
   * @example
   * for await (const { id } of gapura.webhookEndpoints.listDeliveries(endpointId, { status: 'permanently_failed' }))
   *   await gapura.webhookEndpoints.redeliver(endpointId, id)
   */
  listDeliveries(
    endpointId: string,
    query: QueryOf<ListWebhookEndpointDeliveriesData> = {},
    options?: CallOptions,
  ): PagePromise<WebhookDelivery> {
    const path = { endpoint_id: endpointId }
    return pagesOf(this.call, listWebhookEndpointDeliveries, { path, query }, options)
  }

  /**
   * Returns one delivery to an endpoint with its request body and up to 100 of its newest delivery attempts.
   *
   * @example
   * const { status, attempts } = await gapura.webhookEndpoints.getDelivery(endpointId, eventId)
   */
  getDelivery(endpointId: string, eventId: string, options?: CallOptions): ApiPromise<SentWebhookDelivery> {
    const path = { endpoint_id: endpointId, event_id: eventId }
    return this.call.repeatable(getWebhookEndpointDelivery, { path }, options)
  }

  /**
   * Starts one more attempt to deliver an event to an endpoint. Throws `ConflictError` if a delivery is in progress or
   * the endpoint is disabled.
   *
   * @example
   * await gapura.webhookEndpoints.redeliver(endpointId, eventId)
   */
  redeliver(endpointId: string, eventId: string, options?: CallOptions): ApiPromise<WebhookDelivery> {
    const path = { endpoint_id: endpointId, event_id: eventId }
    return this.call.once(redeliverToWebhookEndpoint, { path }, options)
  }
}
