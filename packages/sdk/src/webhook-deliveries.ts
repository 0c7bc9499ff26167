import type { ApiPromise, PagePromise } from './api-promise.ts'
import { type CallOptions, pagesOf } from './call.ts'
import {
  getWebhookDelivery,
  listWebhookDeliveries,
  redeliverFailedWebhooks,
  redeliverWebhook,
} from './generated/operations.gen.ts'
import type {
  ListWebhookDeliveriesData,
  RedeliverFailedWebhooksBody,
  SentWebhookDelivery,
  WebhookDelivery,
} from './generated/types.gen.ts'
import type { Loose, QueryOf } from './operation.ts'
import { Resource } from './resource.ts'

/** Webhook deliveries to the tenant's callback URL. */
export class WebhookDeliveriesResource extends Resource {
  /**
   * Lists the tenant's webhook deliveries, newest first.
   *
   * @example
   * for await (const { id } of gapura.webhookDeliveries.list({ status: 'permanently_failed' }))
   *   await gapura.webhookDeliveries.redeliver(id)
   */
  list(query: QueryOf<ListWebhookDeliveriesData> = {}, options?: CallOptions): PagePromise<WebhookDelivery> {
    return pagesOf(this.call, listWebhookDeliveries, { query }, options)
  }

  /**
   * Returns one webhook delivery with its request body and up to 100 of its newest delivery attempts.
   *
   * @example
   * const { status, body, attempts } = await gapura.webhookDeliveries.get(eventId)
   */
  get(eventId: string, options?: CallOptions): ApiPromise<SentWebhookDelivery> {
    return this.call.repeatable(getWebhookDelivery, { path: { event_id: eventId } }, options)
  }

  /**
   * Starts one more attempt to deliver the same event, with the same event ID. Throws `ConflictError` if a delivery is
   * in progress or the tenant has no callback URL.
   *
   * @example
   * await gapura.webhookDeliveries.redeliver(eventId)
   */
  redeliver(eventId: string, options?: CallOptions): ApiPromise<WebhookDelivery> {
    return this.call.once(redeliverWebhook, { path: { event_id: eventId } }, options)
  }

  /**
   * Retries the delivery of every event after `since` whose delivery failed permanently or that had no callback URL. A
   * retried event can arrive after newer events, such as a refund. Throws `ConflictError` if the tenant still has no
   * callback URL.
   *
   * @example
   * const { redelivered } = await gapura.webhookDeliveries.redeliverFailed({ since: '2026-11-20T00:00:00Z' })
   */
  redeliverFailed(
    body: Loose<RedeliverFailedWebhooksBody>,
    options?: CallOptions,
  ): ApiPromise<{ redelivered: number }> {
    return this.call.once(redeliverFailedWebhooks, { body }, options)
  }
}
